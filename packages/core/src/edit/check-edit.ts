import type { ColumnEdit, PlanEdit, Violation } from '@stagecraft/spec'
import type { CheckedColumnEdit, CheckedEdit } from '../plan/checked-edit.ts'
import type { Key } from '../plan/key.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { parseType } from '../sql/parse-type.ts'
import { checkNames } from './check-names.ts'
import { checkOperation, isOfKey } from './check-operation.ts'
import { checkTests, plannedTest } from './check-tests.ts'
import { checkClaim, checkDescription } from './check-texts.ts'
import type { ExpressionGate } from './expression-gate.ts'
import { READABLE_FAMILIES } from './expression-vocabulary.ts'
import type { EditSubject } from './task.ts'

export interface CheckInput {
  readonly subject: EditSubject
  /** The columns that were asked about. */
  readonly asked: readonly StagedColumn[]
  /** What earlier parts of the same table were given. */
  readonly before: readonly ColumnEdit[]
  readonly redactNames: boolean
  /** Present where expressions are allowed. */
  readonly gate: ExpressionGate | undefined
}

/** An edit and the column that it is about. */
export interface Pair {
  readonly edit: ColumnEdit
  readonly staged: StagedColumn
}

/** What is wrong with an edit, all at once. */
export function checkEdit(edit: PlanEdit, input: CheckInput): readonly Violation[] {
  const { pairs, violations } = pairUp(edit, input)
  const all = [
    ...violations,
    ...checkModelDescription(edit, input),
    ...checkNames(pairs, input),
    ...pairs.flatMap((pair) =>
      columnFaults(pair, input).map((fault) => ({ ...fault, ordinal: pair.staged.ordinal })),
    ),
  ]
  return all.slice(0, MOST)
}

/** A repair turn and an error are no longer than this, whatever the answer was. */
const MOST = 100

function pairUp(
  { columns }: PlanEdit,
  { asked }: CheckInput,
): { readonly pairs: readonly Pair[]; readonly violations: readonly Violation[] } {
  const byOrdinal = new Map(asked.map((staged) => [staged.ordinal, staged]))
  const pairs: Pair[] = []
  const violations: Violation[] = []
  const seen = new Set<number>()
  for (const edit of columns) {
    const staged = byOrdinal.get(edit.ordinal)
    if (!staged) {
      violations.push({ code: 'UNKNOWN_ORDINAL', expected: 'an ordinal of the list' })
    } else if (seen.has(edit.ordinal)) {
      violations.push({ code: 'REPEATED_ORDINAL', ordinal: edit.ordinal, expected: 'each ordinal once' })
    } else {
      pairs.push({ edit, staged })
    }
    seen.add(edit.ordinal)
  }
  return { pairs, violations }
}

function checkModelDescription({ description }: PlanEdit, { subject }: CheckInput): readonly Violation[] {
  if (description === null) return []
  const fault = checkDescription(description) ?? checkClaim(description, provenKey(subject) !== undefined)
  return fault ? [fault] : []
}

type ColumnFault = Omit<Violation, 'ordinal'>

function columnFaults(pair: Pair, input: CheckInput): readonly ColumnFault[] {
  const { edit, staged } = pair
  const { description, expression } = edit
  const faults = [
    description === null
      ? undefined
      : (checkDescription(description) ?? claimFault(description, pair, input)),
    checkOperation(edit, staged, input.subject),
    expression ? expressionFault(expression, pair, input) : undefined,
    ...checkTests(edit, staged, input.subject),
  ]
  return faults.filter((fault) => fault !== undefined)
}

function claimFault(description: string, { staged }: Pair, { subject }: CheckInput): ColumnFault | undefined {
  return checkClaim(description, isOfKey(staged, { ...subject, key: provenKey(subject) }))
}

/** That only its name tells a key proves nothing. */
function provenKey({ key }: EditSubject): Key | undefined {
  return key?.evidence === 'name' ? undefined : key
}

function expressionFault(
  expression: string,
  { edit, staged }: Pair,
  { gate, subject }: CheckInput,
): ColumnFault | undefined {
  if (isOfKey(staged, subject)) {
    return { code: 'ILLEGAL_EXPRESSION', expected: 'no expression for a column of a key' }
  }
  if (staged.config.values ?? staged.column?.values) {
    return { code: 'ILLEGAL_EXPRESSION', expected: 'no expression for a column with a closed list of values' }
  }
  const isFree = staged.change === 'none' && staged.config.as === undefined && edit.operation === null
  const reason = isFree
    ? gate?.(expression, readableColumns(subject))
    : 'no expression beside an operation, or for a column that the rules convert'
  return reason === undefined ? undefined : { code: 'ILLEGAL_EXPRESSION', expected: reason }
}

function readableColumns({ subject }: EditSubject): readonly string[] {
  const { dialect } = subject.settings
  return subject.columns
    .filter(({ type }) => READABLE_FAMILIES.has(parseType(type, dialect).family))
    .map(({ name }) => name)
}

/** What passed, in the form that planning takes it. */
export function acceptEdit(
  description: string | null,
  columns: readonly ColumnEdit[],
  subject: EditSubject,
): CheckedEdit {
  const staged = new Map(subject.columns.map((column) => [column.ordinal, column]))
  const accepted = columns.map(({ ordinal, tests, ...edit }) => {
    const column = staged.get(ordinal)
    const planned = column ? tests.map((test) => plannedTest(test, column, subject)) : []
    return [ordinal, { ...edit, tests: planned }] as const satisfies readonly [number, CheckedColumnEdit]
  })
  return { description, columns: new Map(accepted) }
}

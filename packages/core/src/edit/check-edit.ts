import type { ColumnEdit, PlanEdit, TestProposal, Violation } from '@stagecraft/spec'
import type { CheckedColumnEdit, CheckedEdit } from '../plan/checked-edit.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import type { CheckInput, Pair } from './check-input.ts'
import { checkClashes, checkSpelling } from './check-names.ts'
import { judgeExpression } from './check-expression.ts'
import { checkConversion, isOfKey, lossesOfConversion, treeOfOperation } from './check-conversion.ts'
import { checkTests, plannedTest } from './check-tests.ts'
import { checkClaim, checkDescription, type Proof } from './check-texts.ts'
import { checkValues, guessesOf } from './check-values.ts'
import type { ExpressionTree } from './expression-tree.ts'
import type { EditSubject } from './task.ts'

/** The usable parts of an edit, and the violations of the rest. */
export interface JudgedEdit {
  readonly description: string | null
  /** The valid edits of columns, without their invalid tests. */
  readonly columns: readonly ColumnEdit[]
  /** The ordinals of the columns with an invalid edit. */
  readonly refused: readonly number[]
  /** The number of edits whose ordinals mean no column. */
  readonly unplaced: number
  /** The names that those edits proposed. */
  readonly dropped: readonly string[]
  /** The violations, limited to a readable number. */
  readonly violations: readonly Violation[]
}

/** Returns all violations of an edit at once. */
export function checkEdit(edit: PlanEdit, input: CheckInput): readonly Violation[] {
  return judgeEdit(edit, input).violations
}

/**
 * Checks an edit against the table, part by part. A column that breaks a rule loses its whole edit; an invalid test
 * or table description is dropped alone. The rest is used.
 */
export function judgeEdit(edit: PlanEdit, input: CheckInput): JudgedEdit {
  const { pairs, unplaced, violations } = pairUp(edit, input)
  const described = checkModelDescription(edit, input)
  const spelled = checkSpelling(pairs, input)
  const faults = pairs.flatMap((pair) => withOrdinal(columnFaults(pair, input), pair))
  const fallen = new Set([...spelled, ...faults].map(({ ordinal }) => ordinal))
  const sound = pairs.filter(({ staged }) => !fallen.has(staged.ordinal))
  const clashes = checkClashes(sound, input)
  for (const { ordinal } of clashes) fallen.add(ordinal)
  const judged = pairs.map((pair) => ({ pair, ...judgeTests(pair, input) }))
  const edits = judged
    .filter(({ pair }) => !fallen.has(pair.staged.ordinal))
    .map(({ pair, tests }) => ({ ...pair.edit, tests: [...tests] }))
  const lost = checkValues(edits, acceptEdit({ description: null, columns: edits }, input), {
    subject: input.subject,
    treeOf: (edit, staged) => treeOf(edit, staged, input),
  })
  for (const { ordinal } of lost) if (ordinal !== undefined) fallen.add(ordinal)
  const all = [
    ...violations,
    ...described,
    ...spelled,
    ...clashes,
    ...faults,
    ...lost,
    ...judged.flatMap(({ pair, violations: own }) => withOrdinal(own, pair)),
  ]
  return {
    description: described.length > 0 ? null : edit.description,
    columns: edits.filter(({ ordinal }) => !fallen.has(ordinal)),
    refused: [...fallen, ...violations.map(({ ordinal }) => ordinal)].filter(
      (ordinal) => ordinal !== undefined,
    ),
    unplaced,
    dropped: pairs.flatMap(({ edit, staged }) => (fallen.has(staged.ordinal) ? (edit.name ?? []) : [])),
    violations: all.slice(0, MOST),
  }
}

/** The most violations that a repair turn or an error lists. */
const MOST = 100

function withOrdinal(faults: readonly ColumnFault[], { staged }: Pair): readonly Violation[] {
  return faults.map((fault) => ({ ...fault, ordinal: staged.ordinal }))
}

interface PairedEdit {
  readonly pairs: readonly Pair[]
  readonly unplaced: number
  readonly violations: readonly Violation[]
}

/**
 * Matches edits with columns. A column that is edited twice gets no edit. If the answer counts ordinals from
 * a different start, all edits would hit the wrong columns, so all are dropped.
 */
function pairUp({ columns }: PlanEdit, { asked }: CheckInput): PairedEdit {
  const byOrdinal = new Map(asked.map((staged) => [staged.ordinal, staged]))
  const pairs: Pair[] = []
  const violations: Violation[] = []
  let unplaced = 0
  for (const [ordinal, edits] of Map.groupBy(columns, (edit) => edit.ordinal)) {
    const staged = byOrdinal.get(ordinal)
    const [edit] = edits
    if (!staged) {
      violations.push(UNKNOWN_ORDINAL)
      unplaced += edits.length
    } else if (edits.length > 1)
      violations.push({ code: 'REPEATED_ORDINAL', ordinal, expected: 'each ordinal once' })
    else if (edit) pairs.push({ edit, staged })
  }
  return isShifted(columns, asked)
    ? { pairs: [], unplaced: columns.length, violations: [UNKNOWN_ORDINAL] }
    : { pairs, unplaced, violations }
}

const UNKNOWN_ORDINAL: Violation = { code: 'UNKNOWN_ORDINAL', expected: 'an ordinal of the list' }

/** Returns true if the ordinals exceed the list at one end and miss the other. */
function isShifted(columns: readonly ColumnEdit[], asked: readonly StagedColumn[]): boolean {
  const given = new Set(columns.map(({ ordinal }) => ordinal))
  const [first, last] = [asked[0]?.ordinal ?? 0, asked.at(-1)?.ordinal ?? 0]
  return (given.has(first - 1) && !given.has(last)) || (given.has(last + 1) && !given.has(first))
}

function checkModelDescription({ description }: PlanEdit, { subject }: CheckInput): readonly Violation[] {
  if (description === null) return []
  const fault = checkDescription(description) ?? checkClaim(description, tableProof(subject))
  return fault ? [fault] : []
}

type ColumnFault = Omit<Violation, 'ordinal'>

function columnFaults(pair: Pair, input: CheckInput): readonly ColumnFault[] {
  const { edit, staged } = pair
  const { description } = edit
  const faults = [
    description === null
      ? undefined
      : (checkDescription(description) ?? claimFault(description, pair, input)),
    checkConversion(edit, staged, input.subject),
    expressionFault(pair, input),
  ]
  return faults.filter((fault) => fault !== undefined)
}

/** Splits the tests of a column into valid ones and faults. */
function judgeTests(
  { edit, staged }: Pair,
  { subject }: CheckInput,
): { readonly tests: readonly TestProposal[]; readonly violations: readonly ColumnFault[] } {
  const violations = checkTests(edit, staged, subject)
  if (violations.length === 0) return { tests: edit.tests, violations }
  const names = edit.tests.map(({ name }) => name)
  const tests = edit.tests.filter(
    (test) =>
      names.filter((name) => name === test.name).length === 1 &&
      checkTests({ ...edit, tests: [test] }, staged, subject).length === 0,
  )
  return { tests, violations }
}

function claimFault(description: string, { staged }: Pair, { subject }: CheckInput): ColumnFault | undefined {
  return checkClaim(description, columnProof(staged, subject))
}

/**
 * Returns the claims that a table description may make: declared facts, and an identifier if a name shows
 * one.
 */
function tableProof({ key, subject }: EditSubject): Proof {
  const isKey = key !== undefined && key.evidence !== 'name'
  const said = `${subject.name.table} ${subject.table.comment ?? ''}`.toLowerCase()
  return { isKey, mayBeKey: false, isIdentifier: key !== undefined, said, parents: parentsOf(subject) }
}

function columnProof(staged: StagedColumn, subject: EditSubject): Proof {
  const stored = staged.column?.name ?? ''
  const isIdentifier = IDENTIFIER.test(toSnakeCase(stored)) || IDENTIFIER.test(staged.name)
  const isKey = isOfKey(staged, subject)
  const said = `${stored} ${staged.name} ${staged.column?.comment ?? ''}`.toLowerCase()
  const mayBeKey = isIdentifier && subject.key === undefined
  return { isKey, isIdentifier, mayBeKey, said, parents: parentsOf(subject.subject, stored) }
}

/** Returns the columns that foreign keys of the table are declared to refer to, of one column or of all. */
function parentsOf({ table }: EditSubject['subject'], stored?: string): readonly string[] {
  return (table.foreignKeys ?? []).flatMap(({ columns, references }) =>
    columns.flatMap((column, index) =>
      stored === undefined || column === stored
        ? `${references.table.name}.${references.columns[index] ?? ''}`.toLowerCase()
        : [],
    ),
  )
}

/** Names of columns that identify something. */
const IDENTIFIER =
  /(?:^|_)(?:id|ids|key|sk|pk|fk|uuid|guid|number|no|num|nbr|nr|code|cd|ref|reference|identifier)$/

function expressionFault({ edit, staged }: Pair, input: CheckInput): ColumnFault | undefined {
  const judged = judgeExpression(edit, staged, input)
  return judged && 'code' in judged ? judged : undefined
}

/** Returns the expression that stages a column; undefined if the edit leaves its values. */
function treeOf(edit: ColumnEdit, staged: StagedColumn, input: CheckInput): ExpressionTree | undefined {
  const judged = judgeExpression(edit, staged, input)
  return judged && 'checked' in judged ? judged.tree : treeOfOperation(edit, staged, input.subject)
}

/** Converts the accepted parts to the form that planning takes. */
export function acceptEdit(
  { columns, description }: PlanEdit,
  { gate, subject }: Pick<CheckInput, 'gate' | 'subject'>,
): CheckedEdit {
  const staged = new Map(subject.columns.map((column) => [column.ordinal, column]))
  const accepted = columns.flatMap((edit) => {
    const column = staged.get(edit.ordinal)
    return column ? [[edit.ordinal, acceptColumn(edit, column, { gate, subject })] as const] : []
  })
  return { description, columns: new Map(accepted) }
}

function acceptColumn(
  edit: ColumnEdit,
  staged: StagedColumn,
  { gate, subject }: Pick<CheckInput, 'gate' | 'subject'>,
): CheckedColumnEdit {
  const { description, name, operation, tests } = edit
  const judged = judgeExpression(edit, staged, { gate, subject })
  const expression = judged && 'checked' in judged ? judged : undefined
  return {
    name,
    description,
    operation,
    tests: tests.map((test) => plannedTest(test, staged, subject)),
    ...(expression && { expression: expression.checked }),
    losses: [
      ...(expression?.losses ?? lossesOfConversion(edit, staged, subject)),
      ...guessesOf(expression?.tree ?? treeOfOperation(edit, staged, subject), staged, subject),
    ],
  }
}

import type { Dialect, Family } from '@stagecraft/dialects'
import { type ColumnEdit, RESULT_TYPES, type ResultType, type Violation } from '@stagecraft/spec'
import { toSnakeCase } from '../naming/tokens.ts'
import type { CheckedExpression } from '../plan/checked-edit.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { parseType } from '../sql/types.ts'
import { isOfKey } from './check-conversion.ts'
import { isFreeText } from './column-words.ts'
import { flowFault } from './expression-flow.ts'
import type { ExpressionGate, ReadExpression } from './expression-gate.ts'
import { lossesOf } from './expression-losses.ts'
import { factsOf, realLosses } from './real-losses.ts'
import { LOSSES } from './expression-traits.ts'
import type { ExpressionTree } from './expression-tree.ts'
import { type ExpressionColumn, READABLE_FAMILIES } from './expression-vocabulary.ts'
import type { EditSubject } from './task.ts'

/** A valid expression with the losses against its column. */
export interface JudgedExpression {
  readonly checked: CheckedExpression
  readonly tree: ExpressionTree
  readonly losses: readonly string[]
}

interface Judging {
  readonly subject: EditSubject
  readonly gate: ExpressionGate | undefined
}

type Fault = Omit<Violation, 'ordinal'>

/** Returns the checked expression of an edit, or its violation; undefined if the edit has none. */
export function judgeExpression(
  edit: ColumnEdit,
  staged: StagedColumn,
  { gate, subject }: Judging,
): JudgedExpression | Fault | undefined {
  if (!edit.expression || !gate) return undefined
  const closed = whyClosed(edit, staged, subject)
  if (closed !== undefined) return { code: 'ILLEGAL_EXPRESSION', expected: closed }
  const columns = readableColumns(subject)
  const read = gate(edit.expression, columns)
  if (typeof read === 'string') return { code: 'ILLEGAL_EXPRESSION', expected: read }
  const { dialect } = subject.subject.settings
  const family = chooseFamily(read, edit.type ?? undefined, dialect)
  if (family === undefined) return { code: 'WRONG_TYPE', expected: expectedType(read) }
  const own = staged.column?.name ?? ''
  const lost = staged.config.lossy ? undefined : whyLost(read, own, family, columns)
  if (lost !== undefined) return { code: 'VALUES_LOST', expected: lost }
  const facts = { ...factsOf(staged, dialect), tree: read.tree, to: family }
  const losses = [...new Set([...realLosses(lossesOf(read.tree, own), facts), ...read.loose])].map(
    (loss) => LOSSES[loss],
  )
  const checked = { sql: read.sql, family, dataType: typeOf(read, family, dialect) }
  return { checked, tree: read.tree, losses }
}

/** Returns the reason why a column takes no expression at all. */
function whyClosed(
  { operation }: ColumnEdit,
  staged: StagedColumn,
  subject: EditSubject,
): string | undefined {
  if (isOfKey(staged, subject)) return 'no expression for a column of a key'
  if (staged.config.values ?? staged.column?.values)
    return 'no expression for a column with a closed list of values'
  const isFree = (staged.change === 'none' || staged.change === 'utc') && staged.config.as === undefined
  return isFree && (operation === null || operation === 'keep')
    ? undefined
    : 'no expression together with an operation, or for a column that the rules convert'
}

function whyLost(
  { tree }: ReadExpression,
  own: string,
  family: Family,
  columns: readonly ExpressionColumn[],
): string | undefined {
  const fault = flowFault(tree, own)
  if (fault !== undefined) return fault
  const from = columns.find(({ name }) => name === own)?.family
  const isTruth = family === 'boolean' && from === 'string' && isFreeText(toSnakeCase(own))
  return isTruth ? 'no boolean for a column that holds free text' : undefined
}

/** Groups all numbers, because the type of a division depends on the warehouse. */
const KINDS: Readonly<Partial<Record<Family, string>>> = {
  integer: 'number',
  decimal: 'number',
  float: 'number',
}

/**
 * Returns the family of the column from its functions and operators, else from the declared type.
 */
function chooseFamily(
  { family }: ReadExpression,
  said: ResultType | undefined,
  { functions: { datesAreText, numericTruth } }: Dialect,
): Family | undefined {
  if (family === undefined || said === undefined) return family ?? said
  if ((KINDS[family] ?? family) === (KINDS[said] ?? said)) return family
  if (SAME.some((families) => families.includes(family) && families.includes(said))) return said
  const areTruths = [family, said].every((one) => one === 'boolean' || one === 'integer')
  const isText = family === 'string' && datesAreText && /^(?:date|time)/.test(said)
  return (areTruths && numericTruth) || isText ? said : undefined
}

/** Families that a function can return, depending on its arguments or the session. */
const SAME: readonly (readonly Family[])[] = [
  ['timestamp_ntz', 'timestamp_tz'],
  ['string', 'uuid'],
  ['json', 'struct', 'map', 'array'],
  ['date', 'timestamp_ntz', 'timestamp_tz'],
]

function expectedType({ family }: ReadExpression): string {
  return family === undefined
    ? `the type of the expression's result: ${RESULT_TYPES.join(', ')}`
    : `${family}, the type of its functions and operators`
}

/** Returns the type of a cast as written, else the usual type of the family. */
function typeOf({ tree }: ReadExpression, family: Family, dialect: Dialect): string {
  const { types } = dialect
  const cast = tree.kind === 'cast' ? parseType(tree.type, dialect) : undefined
  if (cast?.family === family) return cast.text
  return types.cast[family] ?? types.families[family]?.[0] ?? family
}

function readableColumns({ subject }: EditSubject): readonly ExpressionColumn[] {
  const { dialect } = subject.settings
  return subject.columns
    .map(({ name, type }) => ({ name, family: parseType(type, dialect).family }))
    .filter(({ family }) => READABLE_FAMILIES.has(family))
}

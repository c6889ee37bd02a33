import type { Family } from '@stagecraft/dialects'
import type { ColumnEdit, Violation } from '@stagecraft/spec'
import { CONVERSION_RULES } from '../plan/conversions.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { losesUnit } from '../naming/converted-names.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { byteLength, needsQuotes } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'
import type { CheckInput, Pair } from './check-input.ts'
import { judgeExpression } from './check-expression.ts'
import { isRenameOf } from './check-rename.ts'
import { wordsOfResult } from './expression-parts.ts'
import { type NamedPart, namedPartOf } from './named-parts.ts'
import type { EditSubject } from './task.ts'
import { LEGAL_NAME, LONGEST_NAME } from './legal-name.ts'

/** Returns the violations of names that are illegal or reserved. */
export function checkSpelling(pairs: readonly Pair[], input: CheckInput): readonly Violation[] {
  return pairs.flatMap((pair) => (pair.edit.name === null ? [] : (nameFault(pair, input) ?? [])))
}

/**
 * Finds names that two columns would share, or that deviate from the raw name, in edits that are valid
 * otherwise. If two edits want one name, neither gets it, because it is unknown which is right. A column
 * whose edit is rejected keeps the name that the rules give it, which may clash with another edit. So the
 * check repeats until no edit is rejected.
 */
export function checkClashes(pairs: readonly Pair[], input: CheckInput): readonly Violation[] {
  const taken = takenNames(pairs, input)
  const wrong = taken.length > 0 ? taken : pairs.flatMap((pair) => meaningFault(pair, input) ?? [])
  if (wrong.length === 0) return []
  const fallen = new Set(wrong.map(({ ordinal }) => ordinal))
  const rest = pairs.filter(({ staged }) => !fallen.has(staged.ordinal))
  return [...wrong, ...checkClashes(rest, input)]
}

function meaningFault({ edit, staged }: Pair, input: CheckInput): Violation | undefined {
  const { subject } = input
  if (edit.name !== null && hidesUnit(edit, staged)) {
    const expected = 'a name that includes the unit, because the values are not converted'
    return { code: 'FOREIGN_NAME', ordinal: staged.ordinal, expected }
  }
  if (
    edit.name === null ||
    isRenameOf(edit.name, staged, {
      subject,
      family: plannedFamily(edit, staged, input),
      isConverted: (edit.expression ?? null) !== null || (edit.operation ?? 'keep') !== 'keep',
      ...partOf(edit, staged, input),
    })
  )
    return undefined
  const expected = 'a name made of the words of the raw name, written out, that implies no other type'
  return { code: 'FOREIGN_NAME', ordinal: staged.ordinal, expected }
}

interface Part {
  /** The words that a name may add because of its expression. */
  readonly partWords: ReadonlySet<string>
  readonly part: NamedPart
}

const WHOLE: Part = { partWords: new Set(), part: { cutsQuery: false, word: undefined } }

/** Returns what an expression takes of its column. */
function partOf(edit: ColumnEdit, staged: StagedColumn, input: CheckInput): Part {
  const judged = judgeExpression(edit, staged, input)
  if (!judged || !('checked' in judged)) return WHOLE
  return { partWords: wordsOfResult(judged.tree), part: namedPartOf(judged.tree) }
}

/** Returns the type family that the column's values will have. */
function plannedFamily(edit: ColumnEdit, staged: StagedColumn, input: CheckInput): Family {
  if (input.subject.subject.settings.options.casts === 'none') return staged.family
  const judged = judgeExpression(edit, staged, input)
  if (judged && 'checked' in judged) return judged.checked.family
  const { operation } = edit
  if (operation === null || operation === 'keep') return staged.family
  const { dialect } = input.subject.subject.settings
  const { family } = parseType(staged.column?.type ?? '', dialect)
  const operand = { sql: 'x', family, values: undefined }
  return CONVERSION_RULES[operation].convert(operand, dialect)?.family ?? staged.family
}

/** Returns true if a name drops the unit of values that are not converted: `refund_amount` for cents. */
function hidesUnit(
  { expression = null, name, operation }: ColumnEdit,
  { change, column, conversion, family, name: ruled }: StagedColumn,
): boolean {
  const isNumber = family === 'integer' || family === 'decimal' || family === 'float'
  const isConverted = conversion !== undefined || change !== 'none' || expression !== null
  if (!isNumber || isConverted || (operation !== null && operation !== 'keep')) return false
  if (name === null || name === ruled || column === undefined) return false
  return losesUnit(toSnakeCase(column.name).split('_'), name.split('_'))
}

/**
 * Returns true if a new name begins with an underscore, which marks the columns that a loader or the
 * warehouse adds.
 */
function imitatesLoader(name: string, { name: ruled }: StagedColumn): boolean {
  return name.startsWith('_') && name !== ruled
}

function nameFault({ edit, staged }: Pair, { redactNames, subject }: CheckInput): Violation | undefined {
  const { ordinal } = staged
  const name = edit.name ?? ''
  const { dialect } = subject.subject.settings
  if (redactNames) return { code: 'NAME_NOT_ASKED', ordinal, expected: 'null, because names were not sent' }
  const most = Math.min(dialect.identifiers.maxBytes, LONGEST_NAME)
  if (!LEGAL_NAME.test(name) || byteLength(name) > most || imitatesLoader(name, staged)) {
    const expected = `at most ${most} lower case letters, digits and underscores, a letter first`
    return { code: 'ILLEGAL_NAME', ordinal, expected }
  }
  const folded = dialect.identifiers.folds === 'upper' ? name.toUpperCase() : name
  return needsQuotes(folded, dialect)
    ? { code: 'RESERVED_NAME', ordinal, expected: 'a name that is not a reserved word' }
    : undefined
}

function takenNames(pairs: readonly Pair[], { before, subject }: CheckInput): readonly Violation[] {
  const edits = [...before, ...pairs.map(({ edit }) => edit)]
  const bearers = Map.groupBy(subject.columns, (staged) => finalName(staged, edits).toLowerCase())
  const stored = storedNames(subject)
  const isTaken = (name: string, { name: ruled, ordinal }: StagedColumn): boolean =>
    (bearers.get(name)?.length ?? 0) > 1 ||
    (name !== ruled && (stored.get(name)?.some((other) => other !== ordinal) ?? false))
  return pairs
    .filter(
      ({ edit, staged }) => edit.name !== null && isTaken(finalName(staged, edits).toLowerCase(), staged),
    )
    .map(({ staged: { ordinal } }) => ({
      code: 'NAME_TAKEN',
      ordinal,
      expected: 'a name that no other column has',
    }))
}

/**
 * Maps each name in the source to the columns that have it. An alias that equals the name of another column
 * swaps their meanings; if aliases take precedence over columns (ClickHouse), it also swaps their values.
 */
function storedNames({ subject }: EditSubject): ReadonlyMap<string, readonly number[]> {
  const names = new Map<string, number[]>()
  for (const [index, { name }] of subject.columns.entries()) {
    for (const borne of new Set([name.toLowerCase(), toSnakeCase(name)])) {
      names.set(borne, [...(names.get(borne) ?? []), index + 1])
    }
  }
  return names
}

/** Returns the user's name of a column, else the edit's, else the rules'. */
export function finalName({ config, name, ordinal }: StagedColumn, edits: readonly ColumnEdit[]): string {
  return config.name ?? edits.find((edit) => edit.ordinal === ordinal)?.name ?? name
}

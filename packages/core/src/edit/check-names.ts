import type { ColumnEdit, Violation } from '@stagecraft/spec'
import type { StagedColumn } from '../plan/staged-column.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { byteLength, needsQuotes } from '../sql/identifiers.ts'
import type { CheckInput, Pair } from './check-edit.ts'
import type { EditSubject } from './task.ts'
import { LEGAL_NAME, LONGEST_NAME } from './legal-name.ts'

/** Names that are no names, and names that two columns would have. */
export function checkNames(pairs: readonly Pair[], input: CheckInput): readonly Violation[] {
  const named = pairs.filter(({ edit }) => edit.name !== null)
  const spelled = named.flatMap((pair) => nameFault(pair, input) ?? [])
  const wrong = new Set(spelled.map(({ ordinal }) => ordinal))
  return [
    ...spelled,
    ...takenNames(
      named.filter(({ staged }) => !wrong.has(staged.ordinal)),
      pairs,
      input,
    ),
  ]
}

/** Names of loaders and of what a warehouse adds to tables itself begin with an underscore. */
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
    ? { code: 'RESERVED_NAME', ordinal, expected: 'a name that is no reserved word' }
    : undefined
}

function takenNames(
  named: readonly Pair[],
  pairs: readonly Pair[],
  { before, subject }: CheckInput,
): readonly Violation[] {
  const edits = [...before, ...pairs.map(({ edit }) => edit)]
  const bearers = Map.groupBy(subject.columns, (staged) => finalName(staged, edits).toLowerCase())
  const stored = storedNames(subject)
  const isTaken = (name: string, { name: ruled, ordinal }: StagedColumn): boolean =>
    (bearers.get(name)?.length ?? 0) > 1 ||
    (name !== ruled && (stored.get(name)?.some((other) => other !== ordinal) ?? false))
  return named
    .filter(({ staged }) => isTaken(finalName(staged, edits).toLowerCase(), staged))
    .map(({ staged: { ordinal } }) => ({
      code: 'NAME_TAKEN',
      ordinal,
      expected: 'a name that no other column has',
    }))
}

/**
 * Who bears a name in the source. An alias that is the name of another column swaps their meanings, and where
 * aliases go before columns (ClickHouse) also their values.
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

/** The user's name, else the edit's, else that of the rules. */
function finalName({ config, name, ordinal }: StagedColumn, edits: readonly ColumnEdit[]): string {
  return config.name ?? edits.find((edit) => edit.ordinal === ordinal)?.name ?? name
}

import type { ColumnEdit, Violation } from '@stagecraft/spec'
import type { StagedColumn } from '../plan/staged-column.ts'
import { byteLength, needsQuotes } from '../sql/identifiers.ts'
import type { CheckInput, Pair } from './check-edit.ts'
import { LEGAL_NAME } from './legal-name.ts'

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

function nameFault({ edit, staged }: Pair, { redactNames, subject }: CheckInput): Violation | undefined {
  const { ordinal } = staged
  const name = edit.name ?? ''
  const { dialect } = subject.subject.settings
  if (redactNames) return { code: 'NAME_NOT_ASKED', ordinal, expected: 'null, because names were not sent' }
  const { maxBytes } = dialect.identifiers
  if (!LEGAL_NAME.test(name) || byteLength(name) > maxBytes) {
    const limit = Number.isFinite(maxBytes) ? ` of at most ${maxBytes} characters` : ''
    const expected = `lower case letters, digits and underscores${limit}, no digit first`
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
  return named
    .filter(({ staged }) => (bearers.get(finalName(staged, edits).toLowerCase())?.length ?? 0) > 1)
    .map(({ staged: { ordinal } }) => ({
      code: 'NAME_TAKEN',
      ordinal,
      expected: 'a name that no other column has',
    }))
}

/** The user's name, else the edit's, else that of the rules. */
function finalName({ config, name, ordinal }: StagedColumn, edits: readonly ColumnEdit[]): string {
  return config.name ?? edits.find((edit) => edit.ordinal === ordinal)?.name ?? name
}

import type { ConvertedValue } from './converted-value.ts'
import { isFlag } from './column-words.ts'
import { withParts } from './expression-tree.ts'
import { tryOn } from './trial.ts'
import { moment, NULL, number, text, truth, truthOf, type TrialValue } from './trial-value.ts'
import { areOpposite, oppositeOf } from './value-names.ts'

/** Values that mean yes, each with the one that means no. */
const PAIRS: readonly (readonly [yes: TrialValue, no: TrialValue])[] = [
  [truth(true), truth(false)],
  [number(1), number(0)],
  ...[
    'Y N',
    'y n',
    'yes no',
    'Yes No',
    'YES NO',
    'true false',
    'True False',
    'TRUE FALSE',
    't f',
    'T F',
    '1 0',
    'on off',
  ].map((pair) => {
    const [yes = '', no = ''] = pair.split(' ')
    return [text(yes), text(no)] as const
  }),
  [moment(0), NULL],
  [text('x'), NULL],
]

const KINDS = {
  boolean: ['truth'],
  integer: ['number'],
  decimal: ['number'],
  string: ['text'],
} as const

/** Returns the reason why yes becomes no, or both become the same; undefined if neither happens. */
export function truthFault(value: ConvertedValue): string | undefined {
  const { from, raw, staged, to } = value
  const isTruth = to === 'boolean' || from === 'boolean' || (to === 'integer' && isFlag(raw.join('_')))
  if (!isTruth) return undefined
  const results = pairsFor(value).map(([yes, no]) => [resultOf(value, yes), resultOf(value, no)] as const)
  const isTurned = results.some(
    ([yes, no]) => (no === true && yes !== true) || (yes === false && no === undefined),
  )
  const isKept = results.some(([yes, no]) => yes === true && no !== true)
  if (isTurned && isKept) return 'one meaning of yes'
  const isBlind =
    to === 'boolean' &&
    isFlag(raw.join('_')) &&
    results.some(([yes, no]) => yes === true && no === true) &&
    results.every(([yes, no]) => yes === no)
  if (isBlind || missesCodes(value)) return 'a condition that tells yes from no'
  if (
    (isTurned && !areOpposite(raw, staged)) ||
    (isKept && areOpposite(raw, staged)) ||
    contradictsWord(value)
  )
    return 'a value of the meaning that the name says, not the opposite'
  return undefined
}

/** Returns true if a comment says the codes of yes and no, `Y/N`, and a boolean is the same for both. */
function missesCodes(value: ConvertedValue): boolean {
  const { comment, from, to } = value
  const kinds: readonly string[] = KINDS[from as keyof typeof KINDS] ?? []
  const said = PAIRS.filter(
    (pair) => pair.every((one) => comment.includes(codeOf(one))) && kinds.includes(pair[0].kind),
  )
  const isBlindTo = said.map((pair) => {
    const [yes, no] = pair.map((one) => resultOf(value, one))
    return yes !== undefined && yes === no
  })
  return to === 'boolean' && said.length > 0 && isBlindTo.every(Boolean)
}

/** Returns a code of one letter or digit; longer words may only explain a flag. */
function codeOf(value: TrialValue): string {
  const code = value.kind === 'text' || value.kind === 'number' ? String(value.value).toLowerCase() : ''
  return code.length === 1 ? code : ' '
}

/** The pairs of the family of the column; those with null only for what is no flag itself. */
function pairsFor({ column, dialect, from, raw, tree }: ConvertedValue): typeof PAIRS {
  const kinds: readonly string[] = KINDS[from as keyof typeof KINDS] ?? []
  const isOwn = kinds.length > 0 && isFlag(raw.join('_'))
  const own = PAIRS.filter(([yes, no]) => no.kind !== 'null' && kinds.includes(yes.kind))
  const telling = own.filter(([yes, no]) =>
    [yes, no].some((value) => truthOf(tryOn(tree, { column, value, dialect })) !== undefined),
  )
  const tells = telling.some(([yes, no]) => {
    const [a, b] = [yes, no].map((value) => truthOf(tryOn(tree, { column, value, dialect })))
    return a !== b
  })
  if (tells || isOwn) return telling
  return PAIRS.filter(
    ([yes, no]) => no.kind === 'null' && (from === 'string' ? yes.kind === 'text' : yes.kind === 'moment'),
  )
}

function resultOf({ column, dialect, tree }: ConvertedValue, value: TrialValue): boolean | undefined {
  return truthOf(tryOn(tree, { column, value, dialect }))
}

/** Returns true if `is_active` is false for 'active', or true for 'inactive'. */
function contradictsWord(value: ConvertedValue): boolean {
  if (value.from !== 'string' || value.to !== 'boolean') return false
  const compared = new Set(withParts(value.tree).flatMap((part) => (part.kind === 'text' ? part.value : [])))
  return [...compared].some((constant) => {
    const word = constant.trim().toLowerCase()
    if (value.staged.includes(word)) return resultOf(value, text(constant)) === false
    const opposite = oppositeOf(word)
    return (
      opposite !== undefined && value.staged.includes(opposite) && resultOf(value, text(constant)) === true
    )
  })
}

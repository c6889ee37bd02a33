// Parts of texts that a name can say in its own way: a URL without its query, one name of a person's two.
import { signedNumber } from './expression-erasures.ts'
import { type ExpressionTree, withParts } from './expression-tree.ts'

/** The part of a text that an expression takes, as far as names have words for it. */
export interface NamedPart {
  /** True if it cuts off a URL at its question mark. */
  readonly cutsQuery: boolean
  /** The place of the word that it takes: 1 for the first, -1 for the last. */
  readonly word: number | undefined
}

/** Returns the part of a text that an expression takes. */
export function namedPartOf(tree: ExpressionTree): NamedPart {
  return { cutsQuery: cutsQuery(tree), word: wordTaken(tree) }
}

const SPLITS = /^(?:split_part|substring_index)$/i
const REPLACES = /^(?:regexp_replace|replaceregexp(?:one|all))$/i

/** A question mark and all that follows. */
const QUERY = /^(?:\\{1,2}\?|\[?]\?\]|\[?\]|\[\?\])\.\*\$?$/

/** Returns true for `split_part(url, '?', 1)`, `regexp_replace(url, '[?].*$', '')` and their like. */
export function cutsQuery(tree: ExpressionTree): boolean {
  return withParts(tree).some((part) => {
    if (part.kind !== 'call') return false
    const [, mark, rest] = part.operands
    if (mark?.kind !== 'text') return false
    if (SPLITS.test(part.name)) return mark.value === '?' && rest !== undefined && signedNumber(rest) === 1
    const isGone = rest === undefined || (rest.kind === 'text' && rest.value === '')
    return REPLACES.test(part.name) && isGone && QUERY.test(mark.value)
  })
}

const QUERIES: ReadonlySet<string> = new Set(['query', 'parameters', 'params'])

/** Returns the words of a name before `without_query`. */
export function withoutQuery(words: readonly string[]): readonly string[] {
  const isSaid = words.length > 2 && words.at(-2) === 'without' && QUERIES.has(words.at(-1) ?? '')
  return isSaid ? words.slice(0, -2) : words
}

/** Returns the place of the word that an expression takes of a text: `split_part(name, ' ', 1)`. */
function wordTaken(tree: ExpressionTree): number | undefined {
  const [own, mark, place] = tree.kind === 'call' && SPLITS.test(tree.name) ? tree.operands : []
  const isBlank = mark?.kind === 'text' && /^(?: |, ?)$/.test(mark.value)
  return own?.kind === 'column' && isBlank && place ? signedNumber(place) : undefined
}

/**
 * Returns the word that a name must have, of a raw name that says two in their order, if an expression takes one of
 * both: `first` for the first of `first_last_name`.
 */
export function wordOfPair(raw: readonly string[], { word }: NamedPart): string | undefined {
  const pair = raw.filter((each) => each === 'first' || each === 'last')
  if (pair.length !== 2 || pair[0] === pair[1] || !raw.includes('name')) return undefined
  return word === 1 ? pair[0] : word === -1 || word === 2 ? pair[1] : undefined
}

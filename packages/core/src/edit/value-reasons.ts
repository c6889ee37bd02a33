// Changes of values that need a reason in the name or the comment.
import type { Family } from '@stagecraft/dialects'
import { isFlag } from './column-words.ts'
import type { ConvertedValue } from './converted-value.ts'
import { choiceOf } from './expression-flow.ts'
import { carriersOf, takesPart, wordsOfParts } from './expression-parts.ts'
import { type ExpressionTree, isConstant, isNull } from './expression-tree.ts'
import { tryOn } from './trial.ts'
import { NULL, type TrialValue } from './trial-value.ts'
import * as names from './value-names.ts'

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Texts that say that there is no value. */
const MISSING = words('unknown missing none null na undefined unspecified unassigned empty not unavailable')

/** Returns the reason why a null becomes a value that looks like a real one. */
export function fillFault({ column, comment, dialect, raw, to, tree }: ConvertedValue): string | undefined {
  if (to === 'boolean' || isFlag(raw.join('_')) || names.saysNothing(raw)) return undefined
  const filled = tryOn(tree, { column, value: NULL, dialect })
  // nothing counted is zero
  const isNone = filled.kind === 'number' && filled.value === 0 && names.isCounted(raw)
  return isNone || saysMissing(filled) || isSaid(filled, comment)
    ? undefined
    : 'null where the column is null, or a text such as unknown; a value only if the comment says it'
}

/** Returns the reason why a value that looks like a real one becomes null. */
export function sentinelFault({
  column,
  comment,
  dialect,
  from,
  raw,
  tree,
}: ConvertedValue): string | undefined {
  if (names.saysNothing(raw)) return undefined
  const replaced = carriersOf(tree).flatMap((part) => {
    if (part.kind !== 'call' || !/^(?:nullif|nullifzero)$/i.test(part.name)) return []
    const [value, sentinel = ZERO] = part.operands
    return value && readsOwn(value, column) && isConstant(sentinel) ? sentinel : []
  })
  const isFounded = (sentinel: ExpressionTree): boolean => {
    const value = tryOn(sentinel, { column, value: NULL, dialect })
    const isUsual = from === 'integer' && value.kind === 'number' && SENTINELS.test(String(value.value))
    return isUsual || saysMissing(value) || isSaid(value, comment)
  }
  return replaced.every(isFounded)
    ? undefined
    : 'values of the column; one becomes null only if it says that nothing is known, or the comment says so'
}

/** Whole numbers that stand for no value: -1, -99, -999. */
const SENTINELS = /^-(?:1|9+)$/

const ZERO: ExpressionTree = { kind: 'number', value: '0' }

function saysMissing(value: TrialValue): boolean {
  if (value.kind === 'null' || value.kind === 'unknown') return true
  if (value.kind !== 'text') return false
  const said = value.value.toLowerCase().match(/[a-z]+/g) ?? []
  return said.length === 0 || said.join('') === 'na' || said.some((word) => MISSING.has(word))
}

function isSaid(value: TrialValue, comment: readonly string[]): boolean {
  if (value.kind !== 'text' && value.kind !== 'number') return false
  const said = String(value.value).toLowerCase()
  // comments are read as words, without signs
  return comment.includes(said.replace(/^-/, '')) || (said === '0' && comment.includes('zero'))
}

/** Returns the reason why a part of a value is taken under the name of the whole. */
export function partFault({ column, from, raw, staged, to, tree }: ConvertedValue): string | undefined {
  const isKept = to === 'string' || DOCUMENTS.has(from)
  if (!isKept || names.saysNothing(raw) || !takesPart(tree, column)) return undefined
  const said = wordsOfParts(tree)
  return staged.some((word) => said.has(word)) ? undefined : 'a name that says which part of the value it is'
}

const DOCUMENTS: ReadonlySet<Family> = new Set<Family>(['json', 'struct', 'map', 'array'])

/** Returns the reason why values of other columns are added under the name of one. */
export function mixFault({ column, raw, staged, tree }: ConvertedValue): string | undefined {
  if (names.saysNothing(raw) || staged.some((word) => !raw.includes(word))) return undefined
  const isMixed = carriersOf(tree).some((part) => joinsOthers(part, column))
  return isMixed ? 'a name that says that it holds values of other columns too' : undefined
}

function joinsOthers(tree: ExpressionTree, own: string): boolean {
  const isJoin =
    (tree.kind === 'binary' && /^(?:\|\||[-+*/])$/.test(tree.operator)) ||
    (tree.kind === 'call' && /^(?:concat|concat_ws|concatwithseparator)$/i.test(tree.name))
  return isJoin && carriersOf(tree).some((part) => part.kind === 'column' && part.name !== own)
}

/** Returns the reason why values are replaced by others that nothing says. */
export function mappingFault({ comment, from, raw, to, tree }: ConvertedValue): string | undefined {
  const isOpen = from !== 'boolean' && to !== 'boolean' && !isFlag(raw.join('_'))
  if (!isOpen || names.saysNothing(raw)) return undefined
  const results = carriersOf(tree).flatMap(resultsOf)
  const said = new Set(comment)
  const isGiven = results.every((result) => isNull(result) || areSaid(result, said))
  return isGiven ? undefined : 'the values of the column, or others that its comment says'
}

/** The constants that a choice gives instead of the value, if no branch keeps the value. */
function resultsOf(tree: ExpressionTree): readonly ExpressionTree[] {
  const choice =
    tree.kind === 'case' ? tree : tree.kind === 'call' && choiceOf(tree.name.toLowerCase(), tree.operands)
  if (!choice) return []
  const results = [
    ...choice.branches.map(({ result }) => result),
    ...(choice.otherwise ? [choice.otherwise] : []),
  ]
  return results.every(isConstant) ? results : []
}

function areSaid(result: ExpressionTree, comment: ReadonlySet<string>): boolean {
  if (result.kind !== 'text' && result.kind !== 'number') return false
  return (result.value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => comment.has(word))
}

/** Words of texts in which the case of a letter counts. */
const IDENTIFIERS = words('id ids identifier uid key token hash ref reference secret signature cursor')

/** Words of identifiers without a case of their own. */
const CASELESS = words(
  'uuid guid email mail iso case insensitive currency country domain host hex md5 sha256',
)

/** Returns the reason why letters or digits of an identifier are changed, so that two become one. */
export function letterFault({
  column,
  comment,
  from,
  raw,
  to,
  tree,
  type,
}: ConvertedValue): string | undefined {
  if (from !== 'string' || to !== 'string' || names.saysNothing(raw)) return undefined
  const calls = carriersOf(tree).flatMap((part) => (part.kind === 'call' ? part : []))
  if (calls.some(dropsLetters)) return 'all letters and digits of the value'
  const isCased = raw.some((word) => IDENTIFIERS.has(word)) && !/\(\s*36\s*\)/.test(type)
  if (!isCased || [...raw, ...comment].some((word) => CASELESS.has(word))) return undefined
  const changes = calls.some(
    ({ name, operands: [text] }) =>
      /^(?:lower|upper|initcap|lowerutf8|upperutf8)$/i.test(name) && text && readsOwn(text, column),
  )
  return changes ? 'the letters of an identifier as they are, upper or lower case' : undefined
}

function readsOwn(tree: ExpressionTree, own: string): boolean {
  return carriersOf(tree).some((part) => part.kind === 'column' && part.name === own)
}

/** Returns true for `ltrim(x, '0')`, `regexp_replace(x, '^0+', '')` and their like. */
function dropsLetters({
  name,
  operands: [, set, target],
}: ExpressionTree & { readonly kind: 'call' }): boolean {
  if (set?.kind !== 'text') return false
  if (/^[lrb]?trim$/i.test(name)) return /[\p{L}\p{N}]/u.test(set.value)
  const isGone = target === undefined || (target.kind === 'text' && target.value === '')
  if (/^(?:replace|replaceall)$/i.test(name)) return isGone && /^[\p{L}\p{N}]$/u.test(set.value)
  return /^(?:regexp_replace|replaceregexp\w+)$/i.test(name) && isGone && /^\^\[?0\]?[+*]?$/.test(set.value)
}

// Changes of values that need a reason in the name or the comment.
import type { Family } from '@stagecraft/dialects'
import { isFlag } from './column-words.ts'
import type { ConvertedValue } from './converted-value.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { carriersOf, takesPart, wordsOfParts } from './expression-parts.ts'
import { cutsQuery, withoutQuery } from './named-parts.ts'
import { type ExpressionTree, isConstant, partsOf } from './expression-tree.ts'
import { partsOfName } from './rename-words.ts'
import { tryOn } from './trial.ts'
import { NULL } from './trial-value.ts'
import { meaningFault } from './value-mappings.ts'
import * as names from './value-names.ts'
import { isStatedValue, readsOwn, saysNothingKnown } from './value-sentinels.ts'

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Returns the reason why a null becomes a value that looks like a real one. */
export function fillFault(value: ConvertedValue): string | undefined {
  const { column, comment, dialect, raw, to, tree } = value
  if (to === 'boolean' || isFlag(raw.join('_')) || names.saysNothing(raw)) return undefined
  const filled = tryOn(tree, { column, value: NULL, dialect })
  // nothing counted is zero
  const isNone =
    filled.kind === 'number' && filled.value === 0 && (names.isCounted(raw) || raw.some(isQuantity))
  const isFounded = isNone || saysNothingKnown(filled) || isStatedValue(filled, value)
  return isFounded && fillsIn(tree).every((fill) => isSaidMoment(fill, comment))
    ? undefined
    : 'null where the column is null, or a text such as unknown; a value only if the comment says it'
}

function isQuantity(word: string): boolean {
  return word === 'qty' || word === 'quantity'
}

/** The constants that take the place of null. */
function fillsIn(tree: ExpressionTree): readonly ExpressionTree[] {
  return carriersOf(tree).flatMap((part) =>
    part.kind === 'call' && /^(?:coalesce|ifnull|nvl|isnull)$/i.test(part.name)
      ? part.operands.slice(1).filter(isConstant)
      : [],
  )
}

/** A date is said by all its words: `9999-12-31`. */
function isSaidMoment(fill: ExpressionTree, comment: readonly string[]): boolean {
  const isMoment = fill.kind === 'typed' || (fill.kind === 'cast' && /^(?:date|time)/i.test(fill.type))
  if (!isMoment || fill.operand.kind !== 'text') return !isMoment && fill.kind !== 'call'
  return (fill.operand.value.match(/\d+/g) ?? []).every((word) => comment.includes(word))
}

/** Returns the reason why a part of a value is taken under the name of the whole. */
export function partFault({ column, from, raw, staged, to, tree }: ConvertedValue): string | undefined {
  if (names.saysNothing(raw)) return undefined
  if (DOCUMENTS.has(from) && carriersOf(tree).some(isRemoval)) return 'all parts of the document'
  const isKept = to === 'string' || DOCUMENTS.has(from)
  if (!isKept || !takesPart(tree, column) || leavesQuery(tree, staged)) return undefined
  const said = wordsOfParts(tree)
  return staged.some((word) => said.has(word)) ? undefined : 'a name that says which part of the value it is'
}

function leavesQuery(tree: ExpressionTree, staged: readonly string[]): boolean {
  return cutsQuery(tree) && withoutQuery(staged).length < staged.length
}

const DOCUMENTS: ReadonlySet<Family> = new Set<Family>(['json', 'struct', 'map', 'array'])

/** `document - 'key'` */
function isRemoval(part: ExpressionTree): boolean {
  return part.kind === 'binary' && part.operator === '-'
}

/** Returns the reason why values of other columns are added under the name of one. */
export function mixFault({ column, comment, raw, staged, tree }: ConvertedValue): string | undefined {
  if (names.saysNothing(raw) || staged.some((word) => !raw.includes(word))) return undefined
  const isMixed = carriersOf(tree).some((part) => {
    if (part.kind !== 'column' || part.name === column) return false
    return !partsOfName(toSnakeCase(part.name)).every((word) => comment.includes(word))
  })
  if (isMixed)
    return 'a name that says that it holds values of other columns too, or a comment that names them'
  return carriersOf(tree).some(addsText) ? 'a name that says what is added to the value' : undefined
}

/** `concat(x, '@example.com')` */
function addsText(part: ExpressionTree): boolean {
  const isJoin =
    (part.kind === 'binary' && part.operator === '||') ||
    (part.kind === 'call' && /^concat$/i.test(part.name))
  return isJoin && partsOf(part).some((one) => one.kind === 'text' && /[\p{L}\p{N}]/u.test(one.value))
}

/** Returns the reason why values are replaced by others without evidence. */
export function mappingFault(value: ConvertedValue): string | undefined {
  const { from, raw, to } = value
  const isOpen = from !== 'boolean' && to !== 'boolean' && !isFlag(raw.join('_'))
  return isOpen && !names.saysNothing(raw) ? meaningFault(value) : undefined
}

/** Words of texts in which the case of a letter counts. */
const IDENTIFIERS = words('id ids identifier uid key token hash ref reference secret signature cursor')

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
  if (calls.some(mixesLetters)) return 'the letters and digits of the value in their order'
  const isCased = raw.some((word) => IDENTIFIERS.has(word)) && !/\(\s*36\s*\)/.test(type)
  if (!isCased || names.isCaseless([...raw, ...comment])) return undefined
  const changes = calls.some(
    ({ name, operands: [text] }) =>
      /^(?:lower|upper|initcap|lowerutf8|upperutf8)$/i.test(name) && text && readsOwn(text, column),
  )
  return changes ? 'the letters of an identifier as they are, upper or lower case' : undefined
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

/** Returns true for `reverse(x)`, and for `translate(x, 'abc', 'bca')`. */
function mixesLetters({
  name,
  operands: [, set, target],
}: ExpressionTree & { readonly kind: 'call' }): boolean {
  if (/^(?:reverse|reverseutf8|rot13)$/i.test(name)) return true
  return (
    /^translate$/i.test(name) &&
    [set, target].every((one) => one?.kind === 'text' && /[a-z0-9]/i.test(one.value))
  )
}

// Expressions that give another value for each of some codes, and the meanings that a comment says for codes.
import type { ConvertedValue } from './converted-value.ts'
import { choiceOf } from './expression-flow.ts'
import { carriersOf } from './expression-parts.ts'
import { columnsRead, type ExpressionTree, isConstant, isNull } from './expression-tree.ts'

/** The words that a comment says for a code: `A = active`. */
interface Meaning {
  readonly code: string
  readonly words: readonly string[]
}

/** A constant in place of a code. */
interface Entry {
  readonly code: string
  readonly result: ExpressionTree
}

/** What an expression makes of the values of a column. */
interface Mapping {
  /** Undefined if some value is not chosen by its code alone. */
  readonly entries: readonly Entry[] | undefined
  readonly results: readonly ExpressionTree[]
  /** What the other values become. */
  readonly otherwise: ExpressionTree | undefined
}

const CODE = String.raw`(?<quote>['"]?)(?<code>[\p{L}\p{N}_+-]{1,12})\k<quote>`
const SIGN = String.raw`(?:=>?|->|→|:(?=\s)|\s[-–]\s)`
const PAIRED = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${CODE}\s*${SIGN}\s*(?<said>[^,;|/\n=:→]+?)(?=\s+['"]?[\p{L}\p{N}_+-]{1,12}['"]?\s*(?:=|->|→|:\s)|[,;|/\n]|\.(?:\s|$)|\s(?:and|or)\s|$)`,
  'gu',
)
const BEFORE = new RegExp(String.raw`^${CODE}\s+(?<said>\p{L}.*)$`, 'u')
const BEHIND = new RegExp(String.raw`^(?<said>\p{L}.*?)\s*\(${CODE}\)$`, 'u')

/** Returns the codes of a comment with their meanings: `A = active`, `'P' paid / 'U' unpaid`, `paid (P)`. */
function meaningsIn(comment: string): readonly Meaning[] {
  const paired = [...comment.matchAll(PAIRED)].map(meaningOf)
  if (paired.length > 0) return paired
  const found = comment.split(/[,;|/\n]|\s(?:and|or)\s/).flatMap((part): readonly Meaning[] => {
    const before = BEFORE.exec(part.trim())
    if (before && isShort(before.groups?.['code'] ?? '')) return [meaningOf(before)]
    const behind = BEHIND.exec(part.trim())
    return behind ? [meaningOf(behind)] : []
  })
  return found.length > 1 ? found : []
}

function isShort(code: string): boolean {
  return /^(?:\d{1,3}|\p{Lu}{1,3})$/u.test(code)
}

function meaningOf({ groups }: RegExpExecArray): Meaning {
  return { code: groups?.['code'] ?? '', words: wordsOf(groups?.['said'] ?? '') }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Texts that say that there is no value. */
const MISSING: ReadonlySet<string> = new Set(
  'unknown missing none null na undefined unspecified unassigned empty not unavailable other'.split(' '),
)

/** Returns true if a text says that there is no value. */
export function saysMissing(text: string): boolean {
  const said = text.toLowerCase().match(/[a-z]+/g) ?? []
  return (
    /^[^\p{L}\p{N}]*$/u.test(text) ||
    /^0000[-0: ]*$/.test(text) ||
    said.join('') === 'na' ||
    said.some((word) => MISSING.has(word))
  )
}

/** Returns the mapping of each choice between constants, and of each word that is replaced by another. */
function mappingsIn(tree: ExpressionTree, own: string): readonly Mapping[] {
  return carriersOf(tree).flatMap((part): readonly Mapping[] => {
    const replaced = replacementOf(part)
    if (replaced) return [{ entries: [replaced], results: [replaced.result], otherwise: part }]
    const choice =
      part.kind === 'case'
        ? part
        : part.kind === 'call'
          ? choiceOf(part.name.toLowerCase(), part.operands)
          : undefined
    if (!choice) return []
    const results = choice.branches.map(({ result }) => result)
    if (!results.every(isConstant)) return []
    const entries = choice.branches.map(({ condition, result }) =>
      codesOf(condition, own)?.map((code) => ({ code, result })),
    )
    const isComplete = entries.every((entry) => entry !== undefined)
    return [{ entries: isComplete ? entries.flat() : undefined, results, otherwise: choice.otherwise }]
  })
}

/** `replace(x, 'DE', 'German')`: a word for a word. */
function replacementOf(part: ExpressionTree): Entry | undefined {
  if (part.kind !== 'call' || !/^(?:replace|replaceall)$/i.test(part.name)) return undefined
  const [, code, result] = part.operands
  if (code?.kind !== 'text' || result?.kind !== 'text') return undefined
  const areWords = [code, result].every(({ value }) => /^\p{L}+$/u.test(value))
  return areWords ? { code: code.value, result } : undefined
}

/** Returns the codes that a condition is true for; undefined if it is about more than that. */
function codesOf(condition: ExpressionTree, own: string): readonly string[] | undefined {
  if (condition.kind === 'binary' && condition.operator === 'or') {
    const [left, right] = [codesOf(condition.left, own), codesOf(condition.right, own)]
    return left && right ? [...left, ...right] : undefined
  }
  const constants = constantsOf(condition, own)
  const codes = constants?.flatMap((one) => (one.kind === 'text' || one.kind === 'number' ? one.value : []))
  return codes?.length === constants?.length ? codes : undefined
}

/** Returns the constants that a column is compared with, by `=` or `in`; undefined for other conditions. */
export function constantsOf(condition: ExpressionTree, own: string): readonly ExpressionTree[] | undefined {
  const operands =
    condition.kind === 'binary' && condition.operator === '='
      ? [condition.left, condition.right]
      : condition.kind === 'test' && condition.operator === 'in' && !condition.isNegated
        ? condition.operands
        : []
  const constants = operands.filter(isConstant)
  const isOwn = operands.some((one) => columnsRead(one).includes(own))
  return isOwn && constants.length === operands.length - 1 ? constants : undefined
}

type Mapped = Pick<ConvertedValue, 'column' | 'comment' | 'said' | 'tree'>

/** Returns the reason why a code gets a meaning without evidence. */
export function meaningFault({ column, comment, said, tree }: Mapped): string | undefined {
  const meanings = meaningsIn(said)
  for (const { entries, otherwise, results } of mappingsIn(tree, column)) {
    if (!entries && !results.every((result) => isNull(result) || areSaid(result, comment))) return UNSAID
    if (entries?.some((entry) => !isMeant(entry, meanings, comment))) return UNSAID
    const isKept = otherwise !== undefined && !isConstant(otherwise)
    if (entries && !isKept && !isRest(otherwise, comment)) return OTHERS
    const missing = meanings.some(({ code }) => !entries?.some((entry) => areAlike(entry.code, code)))
    if (entries && missing && !isKept) return 'a value for each code of the comment'
  }
  return undefined
}

const OTHERS = 'null, a text such as unknown or the value itself for other values'

/** Returns true for null, for a text such as unknown, and for what a comment says of all others. */
function isRest(otherwise: ExpressionTree | undefined, comment: readonly string[]): boolean {
  if (!otherwise || isNull(otherwise)) return true
  if (otherwise.kind === 'text' && saysMissing(otherwise.value)) return true
  return comment.some((word) => /^(?:others?|otherwise|else|rest)$/.test(word)) && areSaid(otherwise, comment)
}

const UNSAID = 'the meaning that the comment says for each code, or the values of the column'

function isMeant({ code, result }: Entry, meanings: readonly Meaning[], comment: readonly string[]): boolean {
  const own = meanings.find((one) => one.code === code) ?? meanings.find((one) => areAlike(one.code, code))
  if (isNull(result)) return own === undefined
  if (result.kind !== 'text' && result.kind !== 'number') return false
  const given = wordsOf(result.value)
  if (given.join('') === wordsOf(code).join('')) return true
  if (!own) {
    const isShortFor = given.join('').startsWith(code.toLowerCase())
    return meanings.length === 0 && isShortFor && areSaid(result, comment)
  }
  const isOthers = meanings.some((one) => one !== own && one.words.join(' ') === given.join(' '))
  return given.length > 0 && !isOthers && given.every((word) => own.words.includes(word))
}

function areSaid(result: ExpressionTree, comment: readonly string[]): boolean {
  if (result.kind !== 'text' && result.kind !== 'number') return false
  return wordsOf(result.value).every((word) => comment.includes(word))
}

function areAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Returns true if each code of a comment gets a value of its own, so that nothing is lost. */
export function isReversible({ column, said, tree }: Omit<Mapped, 'comment'>): boolean {
  const mappings = mappingsIn(tree, column)
  const [mapping] = mappings
  if (mappings.length !== 1 || !mapping?.entries) return false
  const { entries, otherwise } = mapping
  const isKept = otherwise !== undefined && !isConstant(otherwise)
  const results = new Set(entries.map(({ result }) => JSON.stringify(result)))
  const meanings = meaningsIn(said)
  const isListed =
    meanings.length > 0 && meanings.every(({ code }) => entries.some((entry) => areAlike(entry.code, code)))
  return results.size === entries.length && (isKept || isListed)
}

/** Returns true if an expression gives a constant for each of some codes. */
export function isMapping({ column, tree }: Pick<Mapped, 'column' | 'tree'>): boolean {
  return mappingsIn(tree, column).some(({ entries }) => entries !== undefined)
}

import { LONGEST_PAD, MATCHERS, PADS, READS_TIME, REPLACERS } from './expression-traits.ts'
import { type ExpressionTree, isConstant, partsOf, withParts } from './expression-tree.ts'
import type { ExpressionVocabulary } from './expression-vocabulary.ts'
import { FOREIGN_TEXT } from './expression-cursor.ts'

const COMPUTED = 'an expression may not compute texts from constants alone: write the result instead'
const GROWING = `an expression may not lengthen texts beyond ${LONGEST_PAD} characters, or nest replacements that lengthen texts`
const PATTERN = 'an expression may only use literal regular expressions, without nested repetitions'
const MODIFIERS = 'an expression may only shift dates that it reads from a column, and only by fixed steps'

type Call = ExpressionTree & { readonly kind: 'call' }

/** Returns the hazard of a well-formed expression: a different value on each call, or endless evaluation. */
export function hazardOf(tree: ExpressionTree, vocabulary: ExpressionVocabulary): string | undefined {
  for (const part of withParts(tree)) {
    const fault = faultOf(part, vocabulary)
    if (fault !== undefined) return fault
  }
  return growthOf(tree) > MOST_GROWTHS ? GROWING : undefined
}

function faultOf(part: ExpressionTree, vocabulary: ExpressionVocabulary): string | undefined {
  if (isComputedText(part)) return COMPUTED
  if (mayReadPresent(part)) return FOREIGN_TEXT
  if (isBadPattern(part)) return PATTERN
  if (part.kind !== 'call') return undefined
  if (PADS.has(part.name.toLowerCase()) && !isShortPad(part)) return GROWING
  return vocabulary.dialect.functions.dateModifiers ? sqliteFault(part) : undefined
}

/** `'n' || 'ow'`: a warehouse treats the result like the written word. */
function isComputedText(part: ExpressionTree): boolean {
  if (!isConstant(part)) return false
  if (part.kind === 'binary') return part.operator === '||'
  if (part.kind === 'cast') return !isPlain(part.operand)
  return part.kind === 'call' && !part.operands.every(isPlain)
}

function isPlain(tree: ExpressionTree): boolean {
  if (tree.kind === 'unary' || tree.kind === 'typed') return isPlain(tree.operand)
  if (tree.kind === 'binary') return tree.operator !== '||' && isPlain(tree.left) && isPlain(tree.right)
  return /^(?:text|number|constant|part)$/.test(tree.kind)
}

const PRESENT_WORDS = ['now', 'today', 'tomorrow', 'yesterday', 'current', 'subsec', 'localtime']

/** Returns true if texts that are joined into a time could spell a word for the current time. */
function mayReadPresent(part: ExpressionTree): boolean {
  const operands = timeOperands(part).filter((operand) => !isConstant(operand))
  const letters = operands.flatMap(textsInto).join('').toLowerCase()
  return PRESENT_WORDS.some((word) => Array.from(word).every((letter) => letters.includes(letter)))
}

function timeOperands(part: ExpressionTree): readonly ExpressionTree[] {
  if (part.kind === 'cast') return /date|time/i.test(part.type) ? [part.operand] : []
  if (part.kind === 'typed') return [part.operand]
  return part.kind === 'call' && READS_TIME.test(part.name) ? part.operands : []
}

/** Returns the texts that may become part of the value, without those that it is compared with. */
function textsInto(tree: ExpressionTree): readonly string[] {
  if (tree.kind === 'text') {
    return [tree.value]
  }
  if (tree.kind === 'test') {
    return []
  }
  if (tree.kind === 'case') {
    return [
      ...tree.branches.map(({ result }) => result),
      ...(tree.otherwise ? [tree.otherwise] : []),
    ].flatMap(textsInto)
  }
  if (tree.kind === 'binary') {
    return /^(?:[-+*/%]|\|\|)$/.test(tree.operator) ? [tree.left, tree.right].flatMap(textsInto) : []
  }
  if (tree.kind === 'call') {
    return operandsInto(tree).flatMap(textsInto)
  }
  return partsOf(tree).flatMap(textsInto)
}

function operandsInto({ name, operands }: Call): readonly ExpressionTree[] {
  const lower = name.toLowerCase()
  if (lower === 'nullif' || /split|substring_index|extract|_substr$/.test(lower)) return operands.slice(0, 1)
  if (REPLACERS.has(lower)) return [...operands.slice(0, 1), ...operands.slice(2)]
  return operands
}

/** Patterns in which a repeated group repeats something can take forever. */
const NESTED_REPETITION = /\((?:[^()\\]|\\.)*[+*}](?:[^()\\]|\\.)*\)\s*(?:[+*]|\{\d+,)/

function isBadPattern(part: ExpressionTree): boolean {
  const pattern = patternOf(part)
  if (pattern === undefined) return false
  return pattern.kind !== 'text' || NESTED_REPETITION.test(pattern.value)
}

function patternOf(part: ExpressionTree): ExpressionTree | undefined {
  if (part.kind === 'binary') return MATCHERS.has(part.operator) ? part.right : undefined
  if (part.kind === 'test') return MATCHERS.has(part.operator) ? part.operands[1] : undefined
  if (part.kind !== 'call' || !MATCHERS.has(part.name.toLowerCase())) return undefined
  const [first, second] = part.operands
  return first?.kind === 'part' ? undefined : second
}

function isShortPad({ operands: [, length] }: Call): boolean {
  return length === undefined || (length.kind === 'number' && Number(length.value) <= LONGEST_PAD)
}

const MOST_GROWTHS = 2

/** Counts nested replacements that lengthen a text. */
function growthOf(tree: ExpressionTree): number {
  const inner = Math.max(0, ...partsOf(tree).map(growthOf))
  return inner + (tree.kind === 'call' && grows(tree) ? 1 : 0)
}

function grows({ name, operands: [, pattern, replacement] }: Call): boolean {
  if (!REPLACERS.has(name.toLowerCase())) return false
  if (replacement === undefined) return false
  if (pattern?.kind !== 'text' || replacement.kind !== 'text') return true
  const isPattern = MATCHERS.has(name.toLowerCase())
  return replacement.value.length > (isPattern ? 8 : Math.max(pattern.value.length, 1))
}

const DATE_CALLS = /^(?:date|time|datetime|julianday|unixepoch|strftime)$/i
const STEP =
  /^(?:unixepoch|julianday|auto|subsec|subsecond|ceiling|floor|start of (?:day|month|year)|weekday [0-6]|[+-]?\d+(?:\.\d+)? (?:day|hour|minute|second|month|year)s?|[+-]\d\d:\d\d(?::\d\d)?)$/i

/**
 * SQLite's date functions accept words in every argument; `localtime` and `utc` mean the zone of the machine.
 */
function sqliteFault({ name, operands }: Call): string | undefined {
  if (!DATE_CALLS.test(name)) return undefined
  const isFormat = name.toLowerCase() === 'strftime'
  const [value, ...steps] = isFormat ? operands.slice(1) : operands
  if (isFormat && operands[0]?.kind !== 'text') return MODIFIERS
  if (
    value === undefined ||
    (isConstant(value) && !/^\d{4}-\d\d-\d\d/.test(value.kind === 'text' ? value.value : ''))
  )
    return MODIFIERS
  const isFixed = steps.every((step) => (step.kind === 'text' ? STEP.test(step.value) : !isConstant(step)))
  return isFixed ? undefined : MODIFIERS
}

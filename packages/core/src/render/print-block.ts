/** Prints a text that is harder than most, behind its key or, without one, as an item of a list. */
export type PrintHardText = (text: string, place: Place) => string

interface Place {
  /** Undefined for an item of a list. */
  readonly key: string | undefined
  /** The depth of indentation, in steps of two spaces. */
  readonly depth: number
}

/** The width at which lines of a block are folded. */
export const LINE_WIDTH = 74

const ASCII = /^[ -~]+$/

/**
 * A text that begins with a letter is taken for something else only if it is one of these words, or a number to
 * YAML 1.1 that has nothing but an exponent.
 * Source: yaml.org/spec/1.1 and 1.2, "plain style"; yaml.org/type (bool, null, float).
 */
const BEGINS_PLAIN = /^[A-Za-z_]/
const MEANS_MORE = /^(?:null|true|false|yes|no|on|off|y|n|e[-+]?\d+)$/i

/** Matches text that would end a plain scalar early or begin something else. */
const ENDS_PLAIN = /: | #|[ :]$/

/** Matches characters that must be escaped inside quotes, or call for the other kind of quotes. */
const QUOTES = /["'\\]/

/** Longer keys are printed in another form. */
const LONGEST_KEY = 100

/**
 * Returns true if `printBlock` prints the tree as `yaml` does: lists and objects that are not empty, whole
 * numbers, booleans and texts that end in no line end, under plain keys.
 */
export function isBlock(tree: unknown): tree is object {
  if (Array.isArray(tree)) return tree.length > 0 && tree.every(isPart)
  if (typeof tree !== 'object' || tree === null || Object.getPrototypeOf(tree) !== Object.prototype)
    return false
  const entries = Object.entries(tree)
  return entries.length > 0 && entries.every(([key, value]) => isKey(key) && isPart(value))
}

function isPart(value: unknown): boolean {
  if (typeof value === 'string') return !value.endsWith('\n')
  return typeof value === 'boolean' || isWhole(value) || isBlock(value)
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0)
}

function isKey(key: string): boolean {
  return key.length < LONGEST_KEY && isPlain(key)
}

function isPlain(text: string): boolean {
  return ASCII.test(text) && BEGINS_PLAIN.test(text) && !ENDS_PLAIN.test(text) && !MEANS_MORE.test(text)
}

/**
 * Prints a tree that `isBlock` as `yaml` would, byte for byte, in a fraction of the time: names, types and most
 * sentences need no look at what every kind of scalar looks like.
 */
export function printBlock(tree: object, printHard: PrintHardText): string {
  return printNode(tree, 0, printHard)
}

/** @param depth How often two spaces stand before each line but the first. */
function printNode(node: object, depth: number, printHard: PrintHardText): string {
  const start = `\n${'  '.repeat(depth)}`
  return Array.isArray(node)
    ? node.map((item) => `-${printItem(item, depth, printHard)}`).join(start)
    : Object.entries(node)
        .map(([key, value]) => `${key}:${printValue(key, value, { depth, printHard })}`)
        .join(start)
}

function printItem(item: unknown, depth: number, printHard: PrintHardText): string {
  if (isNode(item)) return ` ${printNode(item, depth + 1, printHard)}`
  return printScalar(item, { key: undefined, depth }, printHard)
}

interface Around {
  readonly depth: number
  readonly printHard: PrintHardText
}

function printValue(key: string, value: unknown, { depth, printHard }: Around): string {
  if (!isNode(value)) return printScalar(value, { key, depth }, printHard)
  return `\n${'  '.repeat(depth + 1)}${printNode(value, depth + 1, printHard)}`
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** With the space or line end in front. */
function printScalar(value: unknown, place: Place, printHard: PrintHardText): string {
  if (typeof value !== 'string') return ` ${String(value)}`
  const printed = isPlain(value) ? value : inQuotes(value)
  const fits = printed !== undefined && printed.length <= LINE_WIDTH - 2 * place.depth - 2
  return fits ? ` ${printed}` : printHard(value, place)
}

/** Undefined for a text that may do without, or that needs more than quotes. */
function inQuotes(text: string): string | undefined {
  return ENDS_PLAIN.test(text) && !QUOTES.test(text) && ASCII.test(text) ? `"${text}"` : undefined
}

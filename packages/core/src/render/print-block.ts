import { isPlain, type Place, printText } from './print-text.ts'

/** Prints a text that is harder than most, with the space or line end in front of it. */
export type PrintHardText = (text: string, place: Place) => string

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
  let printed = ''
  if (Array.isArray(node)) {
    for (const item of node) printed += `${printed === '' ? '' : start}-${printItem(item, depth, printHard)}`
  } else {
    for (const [key, value] of Object.entries(node))
      printed += `${printed === '' ? '' : start}${key}:${printValue(key, value, { depth, printHard })}`
  }
  return printed
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
  const printed = printText(value, place)
  return printed === undefined ? printHard(value, place) : ` ${printed}`
}

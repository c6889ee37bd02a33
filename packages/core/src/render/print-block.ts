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
  const keys = Object.keys(tree)
  return keys.length > 0 && keys.every((key) => isKey(key) && isPart(Reflect.get(tree, key)))
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

export interface BlockOptions {
  /** Spaces before every line. */
  readonly margin: string
  readonly printHard: PrintHardText
}

/**
 * Prints a tree that `isBlock` as `yaml` would, byte for byte, in a fraction of the time: names, types and most
 * sentences need no look at what every kind of scalar looks like.
 */
export function printBlock(tree: object, options: BlockOptions): string {
  const pieces = [options.margin]
  printNode(tree, 0, { ...options, pieces })
  return pieces.join('')
}

interface Printing extends BlockOptions {
  /** The pieces printed so far, to be joined at the end. */
  readonly pieces: string[]
}

/** @param depth How often two spaces stand before each line but the first, behind the margin. */
function printNode(node: object, depth: number, printing: Printing): void {
  const { margin, pieces } = printing
  const start = `\n${margin}${'  '.repeat(depth)}`
  let before = ''
  if (Array.isArray(node)) {
    for (const item of node) {
      pieces.push(before, '-')
      before = start
      if (isNode(item)) {
        pieces.push(' ')
        printNode(item, depth + 1, printing)
      } else printScalar(item, { key: undefined, depth }, printing)
    }
    return
  }
  for (const key of Object.keys(node)) {
    const value: unknown = Reflect.get(node, key)
    pieces.push(before, key, ':')
    before = start
    if (isNode(value)) {
      pieces.push(start, '  ')
      printNode(value, depth + 1, printing)
    } else printScalar(value, { key, depth }, printing)
  }
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** With the space or line end in front of it. */
function printScalar(value: unknown, place: Place, { margin, pieces, printHard }: Printing): void {
  const text = typeof value === 'string' ? printText(value, place) : String(value)
  const printed = text ?? printHard(String(value), place)
  if (text !== undefined) pieces.push(' ')
  pieces.push(margin !== '' && printed.includes('\n') ? printed.replace(/\n(?=.)/g, `\n${margin}`) : printed)
}

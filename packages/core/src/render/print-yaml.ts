import { escapeInvisible, hasInvisible } from '@stagecraft/spec'
import {
  type CreateNodeOptions,
  Document,
  type DocumentOptions,
  type Scalar,
  type ScalarTag,
  Schema,
  type SchemaOptions,
  type Tags,
  type ToStringOptions,
  stringify,
  visit,
} from 'yaml'
import { remember } from '../memo.ts'
import { isAscii } from '../sql/identifiers.ts'

/** Indents every line that is not empty. */
export function indentLines(text: string, width: number): string {
  return width === 0 ? text : text.replace(/^(?=.)/gm, ' '.repeat(width))
}

/** The width at which lines of a block are folded. */
const LINE_WIDTH = 74

/** The least room for text on a line, however deep its indentation. */
const LEAST_WIDTH = 20

interface FoldOptions {
  /** Columns before the text on its first line: the key, or the indentation of an item. */
  readonly start: number
  /** Columns of the lines that follow. */
  readonly indent: number
}

/**
 * Folds a text at single spaces into lines as long as possible, as the `yaml` library does. The text has only
 * printable ASCII characters.
 *
 * @returns Undefined if a quoted line has no space to break at, or there is no room after the key.
 */
function foldText(
  text: string,
  { indent, start }: FoldOptions,
  { isQuoted }: { readonly isQuoted: boolean },
): string | undefined {
  const step = Math.max(1 + LEAST_WIDTH, 1 + LINE_WIDTH - indent)
  if (text.length <= step) return text
  if (start > LINE_WIDTH - LEAST_WIDTH) return undefined
  const pieces: string[] = []
  let begin = 0
  let seen = 0
  let end = LINE_WIDTH - start
  while (end < text.length) {
    let split = lastSpace(text, seen, end)
    if (split < 0) {
      if (isQuoted) return undefined
      split = nextSpace(text, end + 1)
      if (split < 0) break
    }
    pieces.push(text.slice(begin, split))
    begin = split + 1
    seen = Math.max(end, split) + 1
    end = Math.max(split + step, seen)
  }
  return [...pieces, text.slice(begin)].join(`\n${' '.repeat(indent)}`)
}

/** Returns true if the character is a space between two other characters. */
function isSingleSpace(text: string, at: number): boolean {
  return text[at] === ' ' && at > 0 && text[at - 1] !== ' ' && at < text.length - 1 && text[at + 1] !== ' '
}

function lastSpace(text: string, from: number, to: number): number {
  for (let at = to; at >= from; at--) if (isSingleSpace(text, at)) return at
  return -1
}

function nextSpace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (isSingleSpace(text, at)) return at
  return -1
}

/** The place of a text. */
interface Place {
  /** Undefined for an item of a list. */
  readonly key: string | undefined
  /** The depth of indentation, in steps of two spaces. */
  readonly depth: number
}

const ASCII = /^[ -~]+$/
const ASCII_FROM_LETTER = /^[A-Za-z_][ -~]*$/
const ASCII_LINES = /^[!-~][ -~\n]*[!-~]$/

/**
 * Matches the texts beginning with a letter that are not read as text: these words, and in YAML 1.1 a number that is
 * just an exponent. Source: yaml.org/spec/1.1 and 1.2, "plain style"; yaml.org/type (bool, null, float).
 */
const MEANS_MORE = /^(?:null|true|false|yes|no|on|off|y|n|e[-+]?\d+)$/i

/** The length of the longest special word; numbers, which may be longer, begin with `e`. */
const LONGEST_MEANING = 5

/** Returns true if a text that begins with a letter would be misread. */
function meansMore(text: string): boolean {
  const mayMean = text.length <= LONGEST_MEANING || text.startsWith('e') || text.startsWith('E')
  return mayMean && MEANS_MORE.test(text)
}

/** Matches most names, which are plain text. */
const NAME = /^[A-Za-z_]\w*$/

/** Matches text that would end a plain scalar early or begin something else. */
const ENDS_PLAIN = /: | #|[ :]$/

/** Returns true if a text of one line needs no quotes. */
function isPlain(text: string): boolean {
  if (meansMore(text)) return false
  return NAME.test(text) || (ASCII_FROM_LETTER.test(text) && !ENDS_PLAIN.test(text))
}

/**
 * Prints a text as `yaml` does: plain, in quotes or as a block.
 *
 * @returns Undefined for a text that only `yaml` itself can print.
 */
function printText(text: string, { depth, key }: Place): string | undefined {
  const indent = 2 * depth + 2
  if (text.includes('\n')) return inLines(text, indent)
  const isBare = isPlain(text)
  const printed = isBare ? text : inQuotes(text)
  if (printed === undefined || printed.length <= LINE_WIDTH - indent) return printed
  const start = key === undefined ? indent : key.length + 2
  return foldText(printed, { start, indent }, { isQuoted: printed.startsWith('"') })
}

/** Returns a text in quotes; undefined if it needs no quotes, or needs escapes inside them. */
function inQuotes(text: string): string | undefined {
  if (!ENDS_PLAIN.test(text) || !ASCII.test(text)) return undefined
  if (text.includes('"')) return text.includes("'") ? undefined : `'${text}'`
  return text.includes('\\') ? undefined : `"${text}"`
}

/**
 * Returns a text as a block; undefined if a line would be folded, or the text begins or ends with a space or an empty
 * line.
 */
function inLines(text: string, indent: number): string | undefined {
  if (!ASCII_LINES.test(text)) return undefined
  const isShort = text.split('\n').every((line) => line.length <= LINE_WIDTH - indent)
  const space = ' '.repeat(indent)
  return isShort ? `|-\n${space}${text.replace(/\n+/g, `$&${space}`)}` : undefined
}

/** Prints a text with `yaml` itself, including the space or line end before it. */
type PrintHardText = (text: string, place: Place) => string

/** Longer keys are printed in another form. */
const LONGEST_KEY = 100

interface BlockOptions {
  /** Spaces before every line. */
  readonly margin: number
  readonly printHard: PrintHardText
}

/**
 * Prints a tree as `yaml` does, byte for byte, in a fraction of the time: names, types and most sentences do not need
 * its checks for every kind of scalar.
 *
 * @returns Undefined for a tree with anything but plain keys, non-empty lists and objects, whole numbers, booleans,
 * and texts without a line end at the end.
 */
function printBlock(tree: unknown, options: BlockOptions): string | undefined {
  return new BlockPrinter(options).print(tree)
}

/** Appends to one growing text, because joining the texts of thousands of small nodes is slower. */
class BlockPrinter {
  readonly #margin: number
  readonly #printHard: PrintHardText
  /** By the depth. */
  readonly #lineStarts: string[] = []
  #text: string

  constructor({ margin, printHard }: BlockOptions) {
    this.#margin = margin
    this.#printHard = printHard
    this.#text = ' '.repeat(margin)
  }

  print(tree: unknown): string | undefined {
    return isNode(tree) && this.#printNode(tree, 0) ? this.#text : undefined
  }

  /**
   * Appends a node.
   *
   * @param depth The indentation of every line but the first, in steps of two spaces after the margin.
   * @returns False if the node has a part that cannot be printed here.
   */
  #printNode(node: Node, depth: number): boolean {
    return isList(node) ? this.#printList(node, depth) : this.#printObject(node, depth)
  }

  #printObject(node: Readonly<Record<string, unknown>>, depth: number): boolean {
    if (Object.getPrototypeOf(node) !== Object.prototype) return false
    let isFirst = true
    for (const key in node) {
      if (!Object.hasOwn(node, key)) continue
      const opening = openingOf(key)
      if (!opening) return false
      this.#text += isFirst ? opening.key : this.#lineOf(opening, depth)
      isFirst = false
      if (!this.#printValue(node[key], key, depth)) return false
    }
    return !isFirst
  }

  #printList(list: readonly unknown[], depth: number): boolean {
    let isFirst = true
    for (const item of list) {
      this.#text += isFirst ? '-' : `${this.#lineStart(depth)}-`
      isFirst = false
      if (!isNode(item)) {
        if (!this.#printScalar(item, undefined, depth)) return false
      } else {
        this.#text += ' '
        if (!this.#printNode(item, depth + 1)) return false
      }
    }
    return !isFirst
  }

  #printValue(value: unknown, key: string, depth: number): boolean {
    if (!isNode(value)) return this.#printScalar(value, key, depth)
    this.#text += this.#lineStart(depth + 1)
    return this.#printNode(value, depth + 1)
  }

  /** Returns the key at the beginning of a line. */
  #lineOf({ key, lines }: Opening, depth: number): string {
    return (lines[this.#margin + 2 * depth] ??= this.#lineStart(depth) + key)
  }

  #lineStart(depth: number): string {
    return (this.#lineStarts[depth] ??= `\n${' '.repeat(this.#margin + 2 * depth)}`)
  }

  /** Appends a scalar, with the space or line end before it. */
  #printScalar(value: unknown, key: string | undefined, depth: number): boolean {
    if (typeof value !== 'string') {
      if (typeof value !== 'boolean' && !isWhole(value)) return false
      this.#text += ` ${String(value)}`
      return true
    }
    if (value.endsWith('\n')) return false
    const text = printText(value, { key, depth })
    const printed = text === undefined ? this.#printHard(value, { key, depth }) : ` ${text}`
    this.#text +=
      this.#margin > 0 && printed.includes('\n')
        ? printed.replace(/\n(?=.)/g, `\n${' '.repeat(this.#margin)}`)
        : printed
    return true
  }
}

type Node = readonly unknown[] | Readonly<Record<string, unknown>>

function isList(node: Node): node is readonly unknown[] {
  return Array.isArray(node)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

/** The texts that open the lines of a key. */
interface Opening {
  /** `name:` */
  readonly key: string
  /** With the line end before it, by the number of spaces between them. */
  readonly lines: string[]
}

/** Remembers openings, because few keys repeat often; undefined for keys that are not plain. */
const openingOf = remember(
  (key: string): Opening | undefined =>
    key.length < LONGEST_KEY && isPlain(key) ? { key: `${key}:`, lines: [] } : undefined,
  100,
)

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0)
}

type Stringify = NonNullable<ScalarTag['stringify']>

/**
 * Matches a line end of YAML 1.1 besides the invisible ones, and two things that dbt v1's reader refuses: a
 * lone `=`, and a block that begins with a tab. Source: yaml.org/spec/1.1, "line break characters";
 * yaml.org/type/value.html.
 */
const NEEDS_QUOTES = /\u0085|^=$|^\s*\t/
const NEXT_LINE = /\u0085/g

/** Returns the emitter's own tags, with more quotes around texts. */
function improveTextTag(tags: Tags): Tags {
  return tags.map((tag) => (isTextTag(tag) ? { ...tag, stringify: quote(tag.stringify) } : tag))
}

function isTextTag(tag: Tags[number]): tag is ScalarTag & { readonly stringify: Stringify } {
  return typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:str' && 'stringify' in tag
}

function quote(print: Stringify): Stringify {
  return (item, context, onComment, onChompKeep) => {
    const text = String(item.value)
    const isPlainEnough = !NEEDS_QUOTES.test(text) && (isAscii(text) || !hasInvisible(text))
    if (isPlainEnough) return print(item, context, onComment, onChompKeep)
    const quoted = Object.assign(item.clone() as Scalar, { type: 'QUOTE_DOUBLE' })
    const printed = print(quoted, context, onComment, onChompKeep)
    // outside the quotes, where escapes would be text, there is only indentation
    return escapeInvisible(printed).replace(NEXT_LINE, String.raw`\u0085`)
  }
}

type Options = DocumentOptions & SchemaOptions & CreateNodeOptions & ToStringOptions

/**
 * Prints a list or object as block YAML, a scalar on one line; without the line end.
 *
 * @param width Spaces before every line that is not empty. Default 0.
 */
type YamlPrinter = (value: unknown, width?: number) => string

/**
 * Creates a printer.
 *
 * dbt v1 reads YAML 1.1, and dbt v2 has its own reader. `compat` quotes any text that one of them would not read as
 * text (`no`, `12:30`, `2024-01-01`). Lines are at most 80 characters long after the templates have indented them.
 */
export function createYamlPrinter(): YamlPrinter {
  const tags = improveTextTag(new Schema({ schema: 'core' }).tags)
  const options: Options = {
    compat: 'yaml-1.1',
    customTags: () => tags,
    lineWidth: LINE_WIDTH,
    aliasDuplicateObjects: false,
    directives: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  }
  // A scalar follows a key at an unknown indentation, so it stays on one line.
  const scalarOptions: Options = { ...options, lineWidth: 0, blockQuote: false }
  const printHard = createHardPrinter(options)
  return (value, width = 0) => {
    const block = printBlock(value, { margin: width, printHard })
    if (block !== undefined) return block
    const printed =
      typeof value === 'object'
        ? printTree(value, options)
        : stringify(value, scalarOptions).replace(/\n$/, '')
    return indentLines(printed, width)
  }
}

/** Creates a printer for one text as in a larger tree, at the same depth and after the same key. */
function createHardPrinter(options: Options): PrintHardText {
  const document = new Document(undefined, options)
  return (text, { depth, key }) => {
    let tree: object = key === undefined ? [text] : { [key]: text }
    for (let level = 0; level < depth; level++) tree = { k: tree }
    document.contents = document.createNode(tree, options)
    const lead = depth * (depth - 1) + 3 * depth + 2 * depth + (key === undefined ? 1 : key.length + 1)
    return document.toString(options).slice(lead).replace(/\n$/, '')
  }
}

/** A block scalar that keeps the empty lines after it. */
const KEEPING = /[|>]\d?\+$/m

function printTree(tree: unknown, options: Options): string {
  const text = stringify(tree, options)
  return (KEEPING.test(text) ? printQuoted(tree, options) : text).replace(/\n$/, '')
}

/** Prints texts that end in empty lines in quotes, because templates add empty lines after them. */
function printQuoted(tree: unknown, options: Options): string {
  const document = new Document(tree, options)
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.endsWith('\n')) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString(options)
}

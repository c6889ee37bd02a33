import { type Document, isCollection, parseDocument, visit } from 'yaml'
import type { YamlValue } from './yaml-edit.ts'

/**
 * Reads a text like dbt. Text in the form of the generated files, with maps and lists on separate lines, is read
 * several times faster. The `yaml` package reads values in other forms, and texts with anything else.
 *
 * @throws {Error} For invalid YAML.
 */
export function readYaml(text: string): YamlValue {
  return readPlain(text) ?? (parseAny(text).toJS() as YamlValue)
}

function parseAny(text: string): Document {
  return parseDocument(text, { logLevel: 'silent', uniqueKeys: false, merge: true, prettyErrors: false })
}

/**
 * Reads a text of plain lines; undefined if `LineReader` does not support it. The result has no errors, and no maps or
 * lists as keys.
 */
export function readPlain(text: string): YamlValue | undefined {
  if (OTHERWISE.test(text)) return undefined
  try {
    return new LineReader(text).read()
  } catch {
    // An alias of another entry, or an unsupported line.
    return undefined
  }
}

/** Matches tabs, other line ends, a byte order mark, and what is between documents. */
// oxlint-disable-next-line no-control-regex -- these are not read here
const OTHERWISE = /[\0-\x09\x0b-\x1f\x7f-\x9f\ufeff]|^(?:---|\.\.\.|%)/m

/** Marks the end of the supported text. */
class NotPlain extends Error {}

/** A line that is neither empty nor a comment. */
interface Line {
  /** The number of leading spaces. */
  readonly indent: number
  /** The text after them. */
  readonly text: string
  readonly number: number
}

/** Matches a plain text key, and the text after it. */
const PAIR = /^([A-Za-z_][\w.-]*):(?: +(.*))?$/
/** Words that YAML does not read as text, and names of object members. */
const NO_TEXT = /^(?:null|true|false)$/i
/** Matches a plain text on one line, unless a part of it matches `ENDS_TEXT`. */
const TEXT = /^[\p{L}_](?:.*[^ :])?$/u
const ENDS_TEXT = /: | #/
const WHOLE = /^(?:0|[1-9]\d{0,14})$/
/** Matches a quoted text without escapes. */
const QUOTED = /^(?:"[^"\\]*"|'[^']*')$/

/** Reads lines one after another; indentation shows the nesting. */
class LineReader {
  readonly #lines: readonly string[]
  #line: Line | undefined

  constructor(text: string) {
    this.#lines = text.split('\n')
    this.#moveTo(0)
  }

  /** @throws {NotPlain} If the line is not as expected. */
  read(): YamlValue {
    if (this.#line?.indent !== 0 || isItem(this.#line)) throw new NotPlain()
    const data = this.#readMap(0)
    if (this.#line) throw new NotPlain()
    return data
  }

  /** Moves to the next line with content. */
  #moveTo(start: number): void {
    for (let number = start; number < this.#lines.length; number++) {
      const line = this.#lines[number] ?? ''
      const indent = indentOf(line)
      if (indent === line.length || line[indent] === '#') continue
      this.#line = { indent, text: line.slice(indent), number }
      return
    }
    this.#line = undefined
  }

  #readMap(indent: number): YamlValue {
    const map: Record<string, YamlValue> = {}
    for (let line = this.#line; line?.indent === indent && !isItem(line); line = this.#line) {
      const [, key, value] = PAIR.exec(line.text) ?? []
      if (key === undefined || NO_TEXT.test(key) || key in Object.prototype) throw new NotPlain()
      map[key] = value === undefined ? this.#readNested(line) : this.#readValue(value, line)
    }
    if (this.#line && this.#line.indent > indent) throw new NotPlain()
    return map
  }

  /** Reads the value below a key: a map, or a list, which may have the same indentation as the key. */
  #readNested({ indent, number }: Line): YamlValue {
    this.#moveTo(number + 1)
    const line = this.#line
    if (line && isItem(line) && line.indent >= indent) return this.#readList(line.indent)
    return line && line.indent > indent ? this.#readMap(line.indent) : null
  }

  #readList(indent: number): YamlValue {
    const list: YamlValue[] = []
    for (let line = this.#line; line?.indent === indent && isItem(line); line = this.#line) {
      const text = line.text.slice(2)
      const inner = { indent: indent + 2, text, number: line.number }
      if (PAIR.test(text)) {
        this.#line = inner
        list.push(this.#readMap(indent + 2))
      } else {
        list.push(this.#readValue(text, line))
      }
    }
    if (this.#line && this.#line.indent > indent) throw new NotPlain()
    return list
  }

  /** Reads a value that starts on a line and may continue below with deeper indentation. */
  #readValue(text: string, { indent, number }: Line): YamlValue {
    this.#moveTo(number + 1)
    if ((this.#line?.indent ?? 0) <= indent) {
      const value = readScalar(text)
      if (value !== undefined) return value
    }
    let end = number + 1
    while (end < this.#lines.length && isBelow(this.#lines[end] ?? '', indent)) end++
    this.#moveTo(end)
    const below = this.#lines.slice(number + 1, end)
    const folded = readFolded([text, ...below])
    if (folded !== undefined) return folded
    const key = `${' '.repeat(indent)}k: `
    const document = parseAny([key + text, ...below, ''].join('\n'))
    if (document.errors.length > 0) throw new NotPlain()
    visit(document, { Pair: (_, { key: inner }) => assertPlainKey(inner) })
    const { k: value, ...others } = document.toJS() as Readonly<Record<string, YamlValue>>
    if (value === undefined || Object.keys(others).length > 0) throw new NotPlain()
    return value
  }
}

function indentOf(line: string): number {
  let indent = 0
  while (line[indent] === ' ') indent++
  return indent
}

function isItem({ text }: Line): boolean {
  return text.startsWith('- ')
}

function isBelow(line: string, indent: number): boolean {
  const own = indentOf(line)
  return own > indent || own === line.length
}

function assertPlainKey(key: unknown): void {
  if (isCollection(key)) throw new NotPlain()
}

function isText(line: string): boolean {
  return TEXT.test(line) && !ENDS_TEXT.test(line)
}

/** Reads a text that is wrapped at spaces; undefined for anything else. */
function readFolded(lines: readonly string[]): string | undefined {
  const last = lines.findLastIndex((line) => line !== '')
  const words = lines.slice(0, last + 1).map((line) => line.slice(indentOf(line)))
  return words.length > 1 && words.every(isText) ? words.join(' ') : undefined
}

/** Reads a value on one line; undefined if it is not plain. */
function readScalar(text: string): YamlValue | undefined {
  if (isText(text)) {
    if (!NO_TEXT.test(text)) return text
    return text === 'true' ? true : text === 'false' ? false : undefined
  }
  if (WHOLE.test(text)) return Number(text)
  return QUOTED.test(text) ? text.slice(1, -1) : undefined
}

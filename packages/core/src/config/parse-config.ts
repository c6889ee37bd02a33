import { type Config, configSchema, type Fault, StagecraftError } from '@stagecraft/spec'
import { type Document, isCollection, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import { withNewNames } from './settings.ts'
import { check, type LocatedFault } from '@stagecraft/spec/validate'

const TOO_DEEP = 'lists or maps that are nested too deeply'

/**
 * Reads the text of a `stagecraft.yml`.
 *
 * @param file Its name, for messages.
 * @throws {StagecraftError} INVALID_REQUEST that lists every unknown key and wrong value with its line.
 */
export function parseConfig(text: string, file: string): Config {
  try {
    return parseDocumentOf(text, file)
  } catch (error) {
    // the parser refuses expanding aliases and overflows the stack on deep nesting
    const isDeep = error instanceof RangeError
    if (!isDeep && !(error instanceof ReferenceError)) throw error
    const received = isDeep ? TOO_DEEP : 'aliases that expand too often, or that are not defined'
    throw StagecraftError.invalid([{ path: '', expected: 'YAML of a reasonable size', received }], {
      subject: file,
    })
  }
}

function parseDocumentOf(text: string, file: string): Config {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [error] = document.errors
  if (error)
    throw StagecraftError.invalid([syntaxFault(error.message, lines.linePos(error.pos[0]).line)], {
      subject: file,
    })
  const checked = check(configSchema, withEmptyEntries(document.toJS() ?? {}))
  if ('value' in checked) return withNewNames(checked.value)
  throw StagecraftError.invalid(
    checked.faults
      .map((fault) => withLine(fault, document, lines))
      .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    { subject: file },
  )
}

/** The maps keyed by names, outermost first. */
const ENTRIES = ['sources', 'tables', 'columns']

/** Reads `shop:` without a value as an empty entry. */
function withEmptyEntries(data: unknown, [list, ...inner] = ENTRIES): unknown {
  if (list === undefined || !isRecord(data) || !Object.hasOwn(data, list)) return data
  const entries = data[list] ?? {}
  if (!isRecord(entries)) return data
  const read = Object.entries(entries).map(([name, entry]) => [name, withEmptyEntries(entry ?? {}, inner)])
  return { ...data, [list]: Object.fromEntries(read) as unknown }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function syntaxFault(message: string, line: number): Fault {
  return {
    path: '',
    expected: 'valid YAML',
    received: message.includes('call stack')
      ? TOO_DEEP
      : (message.split('\n')[0]?.replace(/ at line .*$/, '') ?? ''),
    line,
  }
}

function withLine({ segments, ...fault }: LocatedFault, document: Document, lines: LineCounter): Fault {
  const offset = offsetOf(document, segments)
  const shown = { ...fault, ...unquoted(fault, document.getIn(segments.map(String), true)) }
  return offset === undefined ? shown : { ...shown, line: lines.linePos(offset).line }
}

/** Suggests quotes for a number in place of text, as it is written: `1.10` is not `1.1`. */
function unquoted({ expected }: Fault, node: unknown): Partial<Fault> {
  if (expected !== 'text' || !isScalar(node) || typeof node.value !== 'number') return {}
  const written = node.source ?? String(node.value)
  return { expected: `text, in quotes: '${written}'`, received: written }
}

/** Returns the offset of a path's key, or of the nearest enclosing node. */
function offsetOf(document: Document, segments: readonly PropertyKey[]): number | undefined {
  for (let length = segments.length; length > 0; length--) {
    const parent =
      length === 1 ? document.contents : document.getIn(segments.slice(0, length - 1).map(String), true)
    const key = segments[length - 1]
    const found = isCollection(parent) ? childOffset(parent, key) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function childOffset(parent: unknown, key: PropertyKey | undefined): number | undefined {
  if (isMap(parent)) {
    const pair = parent.items.find((item) => isNode(item.key) && String(item.key) === String(key))
    return isNode(pair?.key) ? pair.key.range?.[0] : undefined
  }
  const item = isCollection(parent) ? parent.items[Number(key)] : undefined
  return isNode(item) ? item.range?.[0] : undefined
}

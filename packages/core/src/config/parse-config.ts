import { type Config, configSchema, type Fault } from '@stagecraft/spec'
import { type Document, isCollection, isMap, isNode, LineCounter, parseDocument } from 'yaml'
import type { LocatedFault } from '../validate/faults.ts'
import { check, invalid } from '../validate/validate.ts'

/**
 * Reads the text of a `stagecraft.yml`.
 *
 * @param file Its name, for messages.
 * @throws {StagecraftError} INVALID_REQUEST that lists every unknown key and wrong value with its line.
 */
export function parseConfig(text: string, file: string): Config {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [error] = document.errors
  if (error) throw invalid([syntaxFault(error.message, lines.linePos(error.pos[0]).line)], file)
  const checked = check(configSchema, document.toJS() ?? {})
  if ('value' in checked) return checked.value
  throw invalid(
    checked.faults.map((fault) => withLine(fault, document, lines)),
    file,
  )
}

function syntaxFault(message: string, line: number): Fault {
  return {
    path: '',
    expected: 'valid YAML',
    received: message.split('\n')[0]?.replace(/ at line .*$/, '') ?? '',
    line,
  }
}

function withLine({ segments, ...fault }: LocatedFault, document: Document, lines: LineCounter): Fault {
  const offset = offsetOf(document, segments)
  return offset === undefined ? fault : { ...fault, line: lines.linePos(offset).line }
}

/** Where the key of a path stands, else the nearest thing around it. */
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

import type { Fault } from '@stagecraft/spec'
import { type Document, isCollection, isMap, isNode, LineCounter, parseDocument } from 'yaml'

/** The content of a file and the line of each part. */
export interface Located {
  readonly value: unknown
  /** Returns the line of the value at a path, otherwise of the nearest enclosing value. */
  readonly lineOf: (segments: readonly PropertyKey[]) => number | undefined
}

interface ReadDocument extends Located {
  /** The same under an additional key, for a file that omits it. */
  readonly below: (key: string) => Located
}

const TOO_DEEP = 'lists or maps that are nested too deeply'

/** Reads JSON or YAML. */
export function readDocument(text: string): ReadDocument | { readonly faults: readonly Fault[] } {
  const json = readJson(text)
  if (json) {
    let yaml: ReturnType<typeof parseYaml> | undefined // only faults need lines
    return located(json.value, (segments) => (yaml ??= parseYaml(text)).lineOf(segments))
  }
  try {
    const yaml = parseYaml(text)
    const [error] = yaml.document.errors
    if (!error) return located(yaml.document.toJS(), yaml.lineOf)
    const isDeep = error.message.includes('call stack')
    const received = isDeep ? TOO_DEEP : (error.message.split('\n')[0]?.replace(/ at line .*$/, '') ?? '')
    const line = yaml.lines.linePos(error.pos[0]).line
    return { faults: [{ path: '', expected: 'valid YAML or JSON', received, line }] }
  } catch (error) {
    return { faults: [{ path: '', expected: 'YAML of a reasonable size', received: excess(error) }] }
  }
}

/**
 * Explains why a document is too large for the parser, which refuses aliases that multiply, and runs out of
 * stack on deep nesting.
 */
function excess(error: unknown): string {
  if (error instanceof RangeError) return TOO_DEEP
  if (error instanceof ReferenceError) return 'aliases that expand too often, or that are not defined'
  throw error
}

function located(value: unknown, lineOf: Located['lineOf']): ReadDocument {
  return {
    value,
    lineOf,
    below: (key) => ({ value: { [key]: value }, lineOf: ([, ...segments]) => lineOf(segments) }),
  }
}

/** Reads JSON. It is also YAML, but the JSON parser is a hundred times faster. */
function readJson(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function parseYaml(text: string): {
  readonly document: Document
  readonly lines: LineCounter
  readonly lineOf: Located['lineOf']
} {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const lineOf: Located['lineOf'] = (segments) => {
    const offset = offsetOf(document, segments)
    return offset === undefined ? undefined : lines.linePos(offset).line
  }
  return { document, lines, lineOf }
}

function offsetOf(document: Document, segments: readonly PropertyKey[]): number | undefined {
  for (let length = segments.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(segments.slice(0, length - 1), true)
    const found = childOffset(parent, segments[length - 1])
    if (found !== undefined) return found
  }
  return isNode(document.contents) ? document.contents.range?.[0] : undefined
}

function childOffset(parent: unknown, key: PropertyKey | undefined): number | undefined {
  if (isMap(parent)) {
    const pair = parent.items.find((item) => isNode(item.key) && String(item.key) === String(key))
    return isNode(pair?.key) ? pair.key.range?.[0] : undefined
  }
  const item = isCollection(parent) ? parent.items[Number(key)] : undefined
  return isNode(item) ? item.range?.[0] : undefined
}

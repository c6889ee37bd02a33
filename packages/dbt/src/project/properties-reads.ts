import { isMap, isNode, isScalar, isSeq, type LineCounter, type YAMLMap } from 'yaml'

/** An entry of any list with its references. */
export interface EntryReads {
  /** Its name; undefined without one. */
  readonly owner?: string
  /** 1-based: the line of the first reference. */
  readonly line: number
  readonly models: readonly { readonly model: string }[]
  readonly reads: readonly { readonly source: string; readonly table: string }[]
}

/** `ref('orders')`, `ref('shop', 'orders')`, `source('shop', 'orders')`, with or without braces around. */
export const REFERENCE = /\b(ref|source)\(\s*(['"])([^'"]+)\2(?:\s*,\s*(['"])([^'"]+)\4)?/

/** Reads the references in the entries of all lists of a file. Comments are ignored. */
export function readReferences(root: YAMLMap, text: string, lines: LineCounter): readonly EntryReads[] {
  const items = root.items.flatMap(({ value }) => (isSeq(value) ? value.items : []))
  return items.flatMap((item): readonly EntryReads[] => {
    if (!isNode(item) || !item.range) return []
    const [start, end] = item.range
    const found = referencesIn(text.slice(start, end))
    const [first] = found
    if (!first) return []
    const name = isMap(item) ? item.get('name', true) : undefined
    const owner = isScalar(name) && typeof name.value === 'string' ? name.value : undefined
    return [
      {
        ...(owner !== undefined && { owner }),
        line: lines.linePos(start + first.offset).line,
        models: found.flatMap(({ call, first: one, second }) =>
          call === 'ref' ? { model: second ?? one } : [],
        ),
        reads: found.flatMap(({ call, first: source, second: table }) =>
          call === 'source' && table !== undefined ? { source, table } : [],
        ),
      },
    ]
  })
}

interface Reference {
  readonly call: string
  readonly first: string
  readonly second: string | undefined
  readonly offset: number
}

/** Finds the references in a text of YAML or SQL. Those behind a `#` are ignored. */
export function referencesIn(text: string): readonly Reference[] {
  return [...text.matchAll(new RegExp(REFERENCE, 'g'))]
    .filter(({ index }) => !/(?:^|\s)#/.test(text.slice(text.lastIndexOf('\n', index) + 1, index)))
    .map(({ 1: call = '', 3: first = '', 5: second, index: offset }) => ({ call, first, second, offset }))
}

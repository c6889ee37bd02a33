/** A node of the syntax tree: an object with one member that names its kind, or a part of one. */
export type Tree = Readonly<Record<string, unknown>>

/** Half-open, in UTF-16 offsets of the SQL. */
export interface Span {
  readonly start: number
  readonly end: number
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the kind of a node: its only member that is an object. Some kinds only wrap other nodes. */
function kindOf(node: unknown): readonly [kind: string, data: Tree] {
  if (!isTree(node)) return ['', {}]
  const [entry] = Object.entries(node)
  if (!entry) return ['', {}]
  const [kind, data] = entry
  return [kind, isTree(data) ? data : {}]
}

/** Wrappers without a meaning of their own: comments, parentheses. */
const WRAPPERS = new Set(['annotated', 'paren'])

export function unwrap(node: unknown): readonly [kind: string, data: Tree] {
  let [kind, data] = kindOf(node)
  while (WRAPPERS.has(kind)) [kind, data] = kindOf(data['this'])
  return [kind, data]
}

export function listAt(data: Tree, key: string): readonly unknown[] {
  const value = data[key]
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

/** Returns the name of an identifier; undefined if there is none. */
export function nameOf(identifier: unknown): string | undefined {
  if (typeof identifier === 'string') return identifier
  const name = isTree(identifier) ? identifier['name'] : undefined
  return typeof name === 'string' ? name : undefined
}

/** Returns the span of a node, in characters of the parser. */
export function spanOf(node: unknown): Span | undefined {
  const span = isTree(node) ? node['span'] : undefined
  if (!isTree(span)) return undefined
  const { end, start } = span
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined
}

/** The queries among the kinds of nodes. */
export const QUERIES: ReadonlySet<string> = new Set([
  'select',
  'union',
  'intersect',
  'except',
  'subquery',
  'values',
])

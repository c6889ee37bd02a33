/** The content of a property file: plain data, ready for the YAML emitter. */
export type PropertyTree = { readonly [key: string]: unknown }

/** The entries that have a value, in their order. An empty list or object is not a value. */
export function withoutEmpty(tree: PropertyTree): PropertyTree {
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(tree)) if (!isEmpty(tree[key])) kept[key] = tree[key]
  return kept
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** The same value with the keys of all objects in one order, without what JSON has no form for. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, canonical(member)]))
}

/** One text for all values that are equal, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value))
}

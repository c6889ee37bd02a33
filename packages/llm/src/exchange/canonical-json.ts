/** Returns the value with the keys of all objects sorted, without members that JSON cannot express. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, canonical(member)]))
}

/** Prints equal values as the same text, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value))
}

// The only state that outlives a call: cached results of pure functions.

/** Returns a function that computes once for each object; the result is released with the object. */
export function oncePerObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const known = made.get(key)
    if (known) return known.value
    const value = make(key)
    made.set(key, { value })
    return value
  }
}

/** Returns a function that caches its results. At `limit` results, it drops all of them. */
export function remember<Key extends string, Value>(
  make: (key: Key) => Value,
  limit: number,
): (key: Key) => Value {
  const made = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const known = made.get(key)
    if (known) return known.value
    const value = make(key)
    if (made.size >= limit) made.clear()
    made.set(key, { value })
    return value
  }
}

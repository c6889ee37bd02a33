/** Returns the value of an untrusted key; inherited members do not count. */
export function lookup<Value>(
  table: Readonly<Record<string, Value>>,
  key: string | number,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

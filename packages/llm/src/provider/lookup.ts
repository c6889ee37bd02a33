/** The value of a key that came from outside: only what the table itself says. */
export function lookup<Value>(
  table: Readonly<Record<string, Value>>,
  key: string | number,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

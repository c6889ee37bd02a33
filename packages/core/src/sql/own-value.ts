/** Returns what a record has for a name out of a warehouse; undefined for `constructor` and what else all objects have. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** The text of a JSON column. `undefined` is no JSON, so that its type does not allow it. */
export function toJson(value: string | number | boolean | object | null): string {
  return JSON.stringify(value)
}

/** Returns the value of a JSON column: unknown, to be checked by the schema of its reader. */
export function fromJson(text: string): unknown {
  return JSON.parse(text) as unknown
}

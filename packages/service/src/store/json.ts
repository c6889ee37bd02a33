/** The text of a JSON column. `undefined` is no JSON, so that its type does not allow it. */
export function toJson(value: string | number | boolean | object | null): string {
  return JSON.stringify(value)
}

/** The value of a JSON column: unknown, for the schema of whoever reads it to check. */
export function fromJson(text: string): unknown {
  return JSON.parse(text) as unknown
}

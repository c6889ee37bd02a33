/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an object, or an empty one for anything else: artifacts write null for unset values. */
export function toJson(value: unknown): Json {
  return isJson(value) ? value : {}
}

/** Returns a text; undefined for anything else, and for an empty text. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the texts of a list; undefined for anything else. */
export function toTexts(value: unknown): readonly string[] | undefined {
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isTexts ? value : undefined
}

/** Returns the objects of a list; none for anything else. */
export function toList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

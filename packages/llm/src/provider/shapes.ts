import { Unanswered } from './unanswered.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * Returns a value as an object. This and the readers below throw an error that names `place` if the value has another
 * type.
 */
export function fieldsOf(value: unknown, place: string): Fields {
  if (!isFields(value)) throw new Unanswered('malformed', `${place} is not an object`)
  return value
}

export function listOf(value: unknown, place: string): readonly Fields[] {
  if (!Array.isArray(value)) throw new Unanswered('malformed', `${place} is not a list`)
  return value.map((item) => fieldsOf(item, `an item of ${place}`))
}

/** Returns the entries of a list that have a type. */
export function ofType(items: readonly Fields[], type: string): readonly Fields[] {
  return items.filter((item) => item['type'] === type)
}

export function textOf(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new Unanswered('malformed', `${place} is not a text`)
  return value
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses the JSON of a model, or returns its text if it is invalid: the caller checks it. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

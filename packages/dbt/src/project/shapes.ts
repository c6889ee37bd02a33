import type { JinjaValue } from '../jinja/jinja-value.ts'

/** The map that a value is; an empty one for anything else. */
export function asRecord(value: unknown): Readonly<Record<string, JinjaValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, JinjaValue>)
    : {}
}

/** The items of a list; none for anything else. */
export function asList(value: unknown): readonly JinjaValue[] {
  return Array.isArray(value) ? (value as readonly JinjaValue[]) : []
}

/** A text, or the spelling of a number; undefined for anything else. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : undefined
}

/** A list of texts, or one text as such a list. */
export function asTexts(value: unknown): readonly string[] | undefined {
  const one = asText(value)
  if (one !== undefined) return [one]
  return Array.isArray(value) ? value.flatMap((item) => asText(item) ?? []) : undefined
}

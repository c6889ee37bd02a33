import type { JinjaValue } from '../jinja/jinja-value.ts'

/** Returns a value that is a map; an empty map for anything else. */
export function asRecord(value: unknown): Readonly<Record<string, JinjaValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, JinjaValue>)
    : {}
}

/** Returns the items of a list; none for anything else. */
export function asList(value: unknown): readonly JinjaValue[] {
  return Array.isArray(value) ? (value as readonly JinjaValue[]) : []
}

/** Returns a text, or a number as text; undefined for anything else. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : undefined
}

/** Returns a list of texts; a single text becomes a list. */
export function asTexts(value: unknown): readonly string[] | undefined {
  const one = asText(value)
  if (one !== undefined) return [one]
  return Array.isArray(value) ? value.flatMap((item) => asText(item) ?? []) : undefined
}

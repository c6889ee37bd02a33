import { escapeInvisible } from '@stagecraft/spec'
import { redactSecrets } from '@stagecraft/spec/redact-secrets'

/** The longest text of a project in one field of a result; a cut text ends with `…`. */
export const TEXT_LIMIT = 300

/** The rest of a longer text is not examined, so huge texts cost nothing. */
const LOOKED_AT = 20_000

/**
 * Cleans a text of the project for a result: masks secrets, replaces control characters by spaces, escapes invisible
 * characters, and cuts long texts. The text stays data: nothing is removed for its meaning.
 */
export function cleanText(text: string, limit: number = TEXT_LIMIT): string {
  const plain = escapeInvisible(
    redactSecrets(text.slice(0, LOOKED_AT).toWellFormed())
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trimEnd(),
  )
  return plain.length > limit ? `${plain.slice(0, limit - 1).toWellFormed()}…` : plain
}

/** Cleans every string in data. Keys stay: they are names of fields, not texts of a project. */
export function cleanData<Data>(value: Data, limit: number = TEXT_LIMIT): Data {
  return clean(value, limit) as Data
}

function clean(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return cleanText(value, limit)
  if (Array.isArray(value)) return value.map((item) => clean(item, limit))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner, limit)]))
}

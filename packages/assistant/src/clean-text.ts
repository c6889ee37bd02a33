import { escapeInvisible } from '@stagecraft/spec'
import { redactSecrets } from '@stagecraft/spec/redact-secrets'

/** The longest text of a project that leaves in one field; what is cut ends with `…`. */
export const TEXT_LIMIT = 300

/** More of a text is not looked at, so that a huge one costs nothing. */
const LOOKED_AT = 20_000

/**
 * Makes a text of the project fit to leave: secrets are masked, control characters become blanks, invisible characters are
 * escaped, and a long text is cut. It stays data: nothing in it is taken out for what it says.
 */
export function cleanText(text: string, limit: number = TEXT_LIMIT): string {
  const plain = escapeInvisible(
    redactSecrets(text.slice(0, LOOKED_AT).toWellFormed())
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trimEnd(),
  )
  return plain.length > limit ? `${plain.slice(0, limit - 1).toWellFormed()}…` : plain
}

/** Cleans every string in data. Keys are names of fields, which no project chooses. */
export function cleanData<Data>(value: Data, limit: number = TEXT_LIMIT): Data {
  return clean(value, limit) as Data
}

function clean(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return cleanText(value, limit)
  if (Array.isArray(value)) return value.map((item) => clean(item, limit))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner, limit)]))
}

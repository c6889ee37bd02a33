import { DIALECTS } from '@stagecraft/dialects'

/**
 * Returns the stored form of a name in an address or a profile: in upper case, unless it has double quotes or
 * needs them. The SQL API requires this form:
 * https://docs.snowflake.com/en/developer-guide/sql-api/submitting-requests
 */
export function storedName(text: string): string {
  const inner = /^"(.+)"$/s.exec(text)?.[1]
  if (inner !== undefined) return inner.replaceAll('""', '"')
  return DIALECTS.snowflake.identifiers.plain.test(text) ? text.toUpperCase() : text
}

import { DIALECTS } from '@stagecraft/dialects'

/**
 * The stored form of a name as people write it in an address or a profile: in upper case, unless it stands in double quotes
 * or needs them. The SQL API wants it so: https://docs.snowflake.com/en/developer-guide/sql-api/submitting-requests
 */
export function storedName(text: string): string {
  const inner = /^"(.+)"$/s.exec(text)?.[1]
  if (inner !== undefined) return inner.replaceAll('""', '"')
  return DIALECTS.snowflake.identifiers.plain.test(text) ? text.toUpperCase() : text
}

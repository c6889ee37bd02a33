import { type Dialect, DIALECTS } from '@stagecraft/core'
import type { DialectName } from '@stagecraft/spec'

/** Names of a catalog that has no dialect are written and read as in one that keeps their case. */
export function sourceDialect(name: DialectName | null | undefined): Dialect {
  return DIALECTS[name ?? 'duckdb']
}

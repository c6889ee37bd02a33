import type { DialectName } from '@stagecraft/spec'
import { Cursor } from '../sql/cursor.ts'
import { readTokens } from '../sql/read-tokens.ts'
import { unlessUnreadable } from '../sql/unreadable-sql.ts'
import type { ValueList } from '../sql/value-list.ts'
import { readStatement } from './statements.ts'

/** The values that the checks of one CREATE TABLE statement list; none when the statement is not understood. */
export function readDeclaredValues(sql: string, dialect: DialectName): readonly ValueList[] {
  const change = unlessUnreadable(() => readStatement(new Cursor(readTokens(sql, dialect)), { sql, dialect }))
  if (change?.kind !== 'create table') return []
  return change.table.constraints.flatMap((constraint) => (constraint.kind === 'values' ? [constraint] : []))
}

import type { DialectName } from '@stagecraft/spec'
import { Cursor } from '../sql/cursor.ts'
import { readTokens } from '../sql/read-tokens.ts'
import { unlessUnreadable } from '../sql/unreadable-sql.ts'
import { readStatement } from './statements.ts'

/** The columns of a CREATE UNIQUE INDEX statement; undefined unless they are plain and it covers all rows. */
export function readUniqueIndex(sql: string, dialect: DialectName): readonly string[] | undefined {
  const change = unlessUnreadable(() =>
    readStatement(new Cursor(readTokens(sql, dialect).filter(({ kind }) => kind !== 'terminator')), {
      sql,
      dialect,
    }),
  )
  const action = change?.kind === 'alter table' ? change.actions[0] : undefined
  return action?.kind === 'add constraint' && action.constraint.kind === 'unique'
    ? action.constraint.columns
    : undefined
}

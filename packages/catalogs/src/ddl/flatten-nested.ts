import type { DialectName } from '@stagecraft/spec'
import { Cursor } from '../sql/cursor.ts'
import { readTokens } from '../sql/read-tokens.ts'
import { ddlRulesOf } from './ddl-rules-of.ts'
import type { ColumnDefinition } from './definitions.ts'

const NESTED = /^Nested\((.+)\)$/s

/**
 * The columns that ClickHouse stores for one of the type `Nested(a T, b U)`: `name.a` and `name.b`, arrays of each.
 * https://clickhouse.com/docs/sql-reference/data-types/nested-data-structures/nested
 */
export function flattenNested(
  column: ColumnDefinition,
  dialect: DialectName | undefined,
): readonly ColumnDefinition[] {
  const [, inside] = NESTED.exec(column.type ?? '') ?? []
  if (inside === undefined || !ddlRulesOf(dialect).typesSayNull) return [column]
  return new Cursor(readTokens(inside, dialect)).splitByComma().map((part) => {
    const name = part.next()?.text ?? ''
    const tokens = part.rest()
    const type = inside.slice(tokens[0]?.start, tokens.at(-1)?.end)
    return { ...column, name: `${column.name}.${name}`, type: `Array(${type})` }
  })
}

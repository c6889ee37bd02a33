import type { Cursor } from '../sql/cursor.ts'
import { isClause, readClauses } from './column-clauses.ts'
import type { ColumnDefinition, Constraint } from './definitions.ts'
import { readColumnName } from './names.ts'
import { readType } from './read-type.ts'
import { type Script, ddlRulesOf } from './script.ts'

/** A column with its clauses. */
export interface ReadColumn {
  readonly column: ColumnDefinition
  readonly constraints: readonly Constraint[]
  /** The column that ALTER TABLE puts it after; empty for the first position. */
  readonly after: string | undefined
}

/** Returns true for a column. Only SQLite has columns without a type; elsewhere, it is something else. */
export function mayBeColumn(
  { access, default: value, isComputed, type }: ColumnDefinition,
  { dialect }: Script,
): boolean {
  const isStated = type !== undefined || isComputed || access !== undefined || value !== undefined
  return isStated || !ddlRulesOf(dialect).columnsNeedType
}

/**
 * Reads a column: its name, its type and its clauses.
 *
 * @throws {UnreadableSql} At the first token that is not understood.
 */
export function readColumn(cursor: Cursor, script: Script): ReadColumn {
  const name = readColumnName(cursor, script)
  cursor.skipSymbol(':') // Databricks allows name: type
  return readColumnType(name, cursor, script)
}

/** Reads a column like `readColumn`, from its type on. */
export function readColumnType(name: string, cursor: Cursor, script: Script): ReadColumn {
  const type = readType(cursor, script, isClause)
  // without a type, this may not be a column, so all of it must be understood
  const { after, computedType, constraints, ...tail } = readClauses(
    name,
    cursor,
    type ? script : { ...script, skip: undefined },
  )
  const text = saysNull(tail, script) && type ? `Nullable(${type.text})` : type?.text
  const column = { name, type: text ?? computedType, typeName: type?.name, values: type?.values, ...tail }
  return { column, constraints, after }
}

/** Returns true for a column such as `a Int8 NULL` of ClickHouse. */
function saysNull({ isRequired }: Pick<ColumnDefinition, 'isRequired'>, { dialect }: Script): boolean {
  return isRequired === false && ddlRulesOf(dialect).typesSayNull
}

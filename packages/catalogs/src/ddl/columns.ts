import type { Cursor } from '../sql/cursor.ts'
import { isClause, readClauses } from './column-clauses.ts'
import { readType } from './column-type.ts'
import { ddlRulesOf } from './ddl-rules-of.ts'
import type { ColumnDefinition, Constraint } from './definitions.ts'
import { readColumnName } from './names.ts'
import type { Script } from './script.ts'

/** A column and what was said behind it. */
export interface ReadColumn {
  readonly column: ColumnDefinition
  readonly constraints: readonly Constraint[]
  /** The column that ALTER TABLE puts it behind; empty for the first place. */
  readonly after: string | undefined
}

/**
 * Reads a column: its name, its type and all that stands behind it.
 *
 * @throws {UnreadableSql} At the first token that is not understood.
 */
export function readColumn(cursor: Cursor, script: Script): ReadColumn {
  const name = readColumnName(cursor, script)
  cursor.skipSymbol(':') // Databricks allows name: type
  return readColumnType(name, cursor, script)
}

/** As `readColumn`, from the type on. */
export function readColumnType(name: string, cursor: Cursor, script: Script): ReadColumn {
  const type = readType(cursor, script, isClause)
  // without a type nothing tells that this is a column at all: then all of it has to be understood
  const { after, constraints, ...tail } = readClauses(
    name,
    cursor,
    type ? script : { ...script, skip: undefined },
  )
  const text = saysNull(tail, script) && type ? `Nullable(${type.text})` : type?.text
  const column = { name, type: text, typeName: type?.name, values: type?.values, ...tail }
  return { column, constraints, after }
}

/** ClickHouse's `a Int8 NULL`. */
function saysNull({ isRequired }: Pick<ColumnDefinition, 'isRequired'>, { dialect }: Script): boolean {
  return isRequired === false && ddlRulesOf(dialect).typesSayNull
}

import type { SchemaPlace, Statement, StatementChain } from '../warehouse/statement.ts'
import { statements } from './statements.ts'

/**
 * Returns the statements of schemas for people who run them by hand. The pipe operator makes a single statement of
 * them: those after SHOW read its rows. The headers of SHOW are in lower case, so they are quoted.
 * https://docs.snowflake.com/en/sql-reference/operators-flow
 */
export function keyChain(places: readonly SchemaPlace[]): StatementChain {
  const all = places.map((place) => ({ place, statements: statements(place) }))
  const shown = all.flatMap((part) => part.statements.filter(({ name }) => name in KEYS))
  const toQuery = (statement: Statement): Statement => {
    const list = KEYS[statement.name]
    if (list === undefined) return statement
    return { name: 'keys', text: `${list}\nfrom $${shown.length - shown.indexOf(statement)}`, values: [] }
  }
  return {
    before: shown.map(({ text }) => text),
    parts: all.map((part) => ({ ...part, statements: part.statements.map(toQuery) })),
  }
}

const keys = (type: string): string => `select "schema_name" as table_schema, "table_name" as table_name,
  "column_name" as column_name, "key_sequence" as ordinal_position, "constraint_name" as constraint_name,
  '${type}' as constraint_type`

/** The select lists that read the results of SHOW, by the name of its statement. */
const KEYS: Readonly<Record<string, string>> = {
  primary_keys: keys('PRIMARY KEY'),
  unique_keys: keys('UNIQUE'),
  imported_keys: `select "fk_schema_name" as table_schema, "fk_table_name" as table_name,
  "fk_column_name" as column_name, "key_sequence" as ordinal_position, "fk_name" as constraint_name,
  'FOREIGN KEY' as constraint_type, "pk_schema_name" as referenced_schema,
  "pk_table_name" as referenced_table, "pk_column_name" as referenced_column`,
}

import type { SchemaPlace, Statement } from '../warehouse/statement.ts'
import { statements } from './statements.ts'

/**
 * Returns the statements of a schema for people who run them by hand. The pipe operator makes a single statement of
 * them: those after SHOW read its rows. The headers of SHOW are in lower case, so they are quoted.
 * https://docs.snowflake.com/en/sql-reference/operators-flow
 */
export function keyChain(place: SchemaPlace): {
  readonly before: readonly string[]
  readonly statements: readonly Statement[]
} {
  const all = statements(place)
  const shown = all.filter(({ name }) => name in KEYS)
  const keys = shown.map(({ name }, index) => ({
    name: 'keys',
    text: `${KEYS[name] ?? ''}\nfrom $${shown.length - index}`,
    values: [],
  }))
  return {
    before: shown.map(({ text }) => text),
    statements: [...all.filter(({ name }) => !(name in KEYS)), ...keys],
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

import { StagecraftError } from '@stagecraft/spec'
import { quoteLiteral, quoteName, type SchemaPlace, type Statement } from '../warehouse/statement.ts'

/** The catalog of tables that predate Unity Catalog. It has no information_schema. */
const HIVE = 'hive_metastore'

/** The maximum number of names in a statement. For more, reading the whole schema is as fast. */
const MOST_NAMES = 50

/** Returns the statement that lists the schemas of a catalog. */
export function schemasStatement(catalog: string): Statement {
  const text = isHive(catalog)
    ? `show schemas in ${quoteName(catalog, 'databricks')}`
    : `select s.schema_name from ${informationSchema(catalog)}.schemata s`
  return { name: 'schemas', text, values: [] }
}

/**
 * Returns the statements that describe a schema. Unity Catalog stores names in lower case. For the Hive
 * metastore, one statement returns everything except column comments and keys.
 */
export function statements({ database, schema, tables = [] }: SchemaPlace): readonly Statement[] {
  if (database !== undefined && isHive(database)) {
    const place = `${quoteName(database, 'databricks')}.${quoteName(schema, 'databricks')}`
    return [{ name: 'tables', text: `show table extended in ${place} like '*'`, values: [] }]
  }
  const from = informationSchema(database)
  const named = tables.length > 0 && tables.length <= MOST_NAMES ? tables : []
  const where = (alias: string): string =>
    `where ${alias}.table_schema = lower(?)` +
    (named.length === 0 ? '' : ` and ${alias}.table_name in (${named.map(() => 'lower(?)').join(', ')})`)
  const values = [schema, ...named]
  return [
    { name: 'tables', text: `${TABLES(from)}\n${where('t')}`, values },
    { name: 'columns', text: `${COLUMNS(from)}\n${where('c')}`, values },
    { name: 'keys', text: `${KEYS(from)}\n${where('k')}`, values },
    ...(named.length === 0 ? [] : [detailsStatement(database, schema, named)]),
  ]
}

/**
 * Reads facts about named tables that information_schema lacks: statistics of ANALYZE TABLE or predictive
 * optimization, and the columns of liquid clustering. The warehouse looks up each table, so this is not used
 * for whole schemas.
 */
function detailsStatement(
  database: string | undefined,
  schema: string,
  tables: readonly string[],
): Statement {
  const place = [...(database === undefined ? [] : [database]), schema]
  const from = place.map((name) => quoteName(name, 'databricks')).join('.')
  const text = `show table extended in ${from} like ${quoteLiteral(tables.join('|'), 'databricks')}`
  return { name: 'details', text, values: [], optional: true, withSizes: true }
}

/** Returns true for the catalog that has no information_schema. */
export function isHive(catalog: string): boolean {
  return catalog.toLowerCase() === HIVE
}

/** Returns the information_schema of a catalog. Default: that of the current catalog. */
function informationSchema(catalog: string | undefined): string {
  return catalog === undefined
    ? 'information_schema'
    : `${quoteName(catalog, 'databricks')}.information_schema`
}

/**
 * https://docs.databricks.com/aws/en/sql/language-manual/information-schema/tables: `last_altered` is the time of the
 * last change of the definition, not of the rows.
 */
const TABLES = (from: string): string => `select t.table_schema, t.table_name, t.table_type,
  t.comment as table_comment, null as row_count, null as byte_count, null as last_changed
from ${from}.tables t`

/** https://docs.databricks.com/aws/en/sql/language-manual/information-schema/columns */
const COLUMNS = (
  from: string,
): string => `select c.table_schema, c.table_name, c.column_name, c.ordinal_position,
  c.full_data_type as data_type, c.is_nullable, c.column_default, c.comment as column_comment, null as is_hidden,
  c.partition_index as partition_position
from ${from}.columns c`

/** Names of constraints are unique within a schema. A key in another catalog is left out. */
const KEYS = (
  from: string,
): string => `select k.table_schema, k.table_name, k.constraint_name, n.constraint_type,
  k.column_name, k.ordinal_position, p.table_schema as referenced_schema, p.table_name as referenced_table,
  p.column_name as referenced_column
from ${from}.key_column_usage k
join ${from}.table_constraints n
  on n.constraint_schema = k.constraint_schema and n.constraint_name = k.constraint_name
left join ${from}.referential_constraints r
  on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name
left join ${from}.key_column_usage p
  on p.constraint_catalog = r.unique_constraint_catalog and p.constraint_schema = r.unique_constraint_schema
  and p.constraint_name = r.unique_constraint_name
  and p.ordinal_position = coalesce(k.position_in_unique_constraint, k.ordinal_position)`

/**
 * Returns the same statements for people who run them by hand.
 *
 * @throws {StagecraftError} INVALID_REQUEST for the Hive metastore, whose statement is not a query.
 */
export function printedStatements(place: SchemaPlace): readonly Statement[] {
  if (place.database === undefined || !isHive(place.database))
    return statements(place).filter(({ name }) => name !== 'details')
  const suggestion =
    'connect to it (--catalog databricks://…), or use the artifacts of dbt (--catalog dbt:target/)'
  throw StagecraftError.invalid(
    { path: 'schema', expected: 'a schema in a catalog of Unity Catalog', received: HIVE },
    { suggestion },
  )
}

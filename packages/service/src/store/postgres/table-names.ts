import { type DatabaseIntrospector, type Kysely, PostgresIntrospector, sql, type TableMetadata } from 'kysely'

/**
 * Finds tables by name, in the schema of the store: that is all migrations ask for. Kysely's own reads the columns of
 * every schema, and fails when anybody drops a table meanwhile.
 */
export function tableNames(db: Kysely<never>): DatabaseIntrospector {
  const standard = new PostgresIntrospector(db)
  return {
    getSchemas: () => standard.getSchemas(),
    getTables: async () => {
      const { rows } = await sql<{ schema: string; name: string }>`
        select schemaname as schema, tablename as name from pg_tables where schemaname = current_schema()`.execute(
        db,
      )
      return rows.map((row): TableMetadata => ({ ...row, isView: false, isForeign: false, columns: [] }))
    },
  }
}

import type { ExportedDialect } from '@stagecraft/spec'
import type { Results, SchemaPlace, Statement, StatementChain } from '../warehouse/statement.ts'
import type { TableRows } from '../warehouse/warehouse.ts'

/** The metadata statements of a warehouse for any client, and the reader of their results. */
interface WarehouseExport {
  readonly statements: (place: SchemaPlace) => readonly Statement[]
  readonly toTables: (results: Results) => TableRows
  /** True if its statements cannot be combined in a union. Default: false. */
  readonly separate?: true
  /** Says where clients stop after 100 rows by default, which no result shows. Default: nowhere. */
  readonly stops?: string
  /** Prints an expression for text without tabs and line breaks. Default: clients quote these. */
  readonly inLine?: (expression: string) => string
  /** Returns what is printed in place of `statements`. Default: these. */
  readonly chain?: (places: readonly SchemaPlace[]) => StatementChain
}

/** Loads the code of only one warehouse. */
type Load = () => Promise<WarehouseExport>

/** The warehouses whose metadata can be exported by hand. */
export const EXPORTS: { readonly [Name in ExportedDialect]: Load } = {
  athena: async () => ({ ...(await import('../athena/statements.ts')), toTables: await standard() }),
  databricks: async () => ({
    statements: (await import('../databricks/statements.ts')).printedStatements,
    ...(await import('../databricks/to-tables.ts')),
  }),
  postgres: async () => ({ ...(await import('../postgres/statements.ts')), toTables: await standard() }),
  mysql: async () => ({
    ...(await import('../mysql/statements.ts')),
    ...(await import('../mysql/to-tables.ts')),
  }),
  redshift: async () => ({
    ...(await import('../redshift/statements.ts')),
    ...(await import('../redshift/to-tables.ts')),
    separate: true,
    // https://docs.aws.amazon.com/redshift/latest/mgmt/query-editor-v2-query-run.html
    stops: 'the query editor stops unless Limit 100 is off',
  }),
  bigquery: async () => ({
    ...(await import('../bigquery/statements.ts')),
    ...(await import('../bigquery/to-tables.ts')),
    // https://cloud.google.com/bigquery/docs/reference/bq-cli-reference#bq_query
    stops: 'bq stops without --max_rows',
  }),
  sqlserver: async () => ({
    ...(await import('../sqlserver/statements.ts')),
    ...(await import('../sqlserver/to-tables.ts')),
    inLine: (text) => `replace(replace(replace(${text}, char(9), ' '), char(13), ' '), char(10), ' ')`, // sqlcmd
  }),
  clickhouse: async () => {
    const { statements, toTables } = await import('../clickhouse/index.ts')
    return { statements: (place) => statements(place).filter(({ onlySizes }) => !onlySizes), toTables }
  },
  trino: async () => {
    const { exportStatements, toTables } = await import('../trino/index.ts')
    return { statements: exportStatements, toTables }
  },
  snowflake: async () => ({
    ...(await import('../snowflake/statements.ts')),
    ...(await import('../snowflake/to-tables.ts')),
    chain: (await import('../snowflake/chain.ts')).keyChain,
  }),
}

async function standard(): Promise<WarehouseExport['toTables']> {
  return (await import('../warehouse/standard-tables.ts')).standardTables
}

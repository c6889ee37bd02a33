import type { Catalog, DialectName } from '@stagecraft/spec'
import type { AddressDefaults } from './network/address.ts'
import type { SocketFactory } from './network/socket.ts'
import {
  ATHENA,
  BIGQUERY,
  CLICKHOUSE,
  DATABRICKS,
  MYSQL,
  POSTGRES,
  REDSHIFT,
  SNOWFLAKE,
  SQLSERVER,
  TRINO,
} from './network/servers.ts'

/** The parts of a catalog's address, and the options to open it. */
interface CatalogAddress {
  /** The whole text: a connection string. */
  readonly text: string
  /** The text between scheme and options. */
  readonly path: string
  readonly dialect: DialectName | undefined
  readonly target: DialectName | undefined
  readonly encoding: string | undefined
  readonly signal: AbortSignal | undefined
  /** Sends the requests of an HTTP catalog. */
  readonly fetch: typeof globalThis.fetch | undefined
  /** Creates the sockets of a catalog with its own protocol. */
  readonly socket: SocketFactory | undefined
}

/** A form of addresses of catalogs, with the function that opens them. */
export interface CatalogForm {
  /** The name of the form. */
  readonly kind: string
  /** An example, for messages. */
  readonly example: string
  /** The schemes that it begins with, without the colon. */
  readonly schemes: readonly string[]
  /** Endings of a path without a scheme that mean this form. Default: none. */
  readonly endings?: readonly string[]
  /** The rules for the address of a server. Default: the address is a path. */
  readonly server?: AddressDefaults
  /** True if rows can be read, not only columns. Default false. */
  readonly hasRows?: true
  /** True for a text file, which may be followed by `?dialect=…` and `?encoding=…`. Default false. */
  readonly isText?: true
  /** The optional package that it needs. Default: none. */
  readonly driver?: string
  /** A statement that takes 20 seconds or more and reads no table, to test stopping it. Default: none. */
  readonly slow?: string
  /** The grants for reading a schema, with `{database}`, `{schema}` and `{user}` in them. Default: unknown. */
  readonly grants?: string
  /** The grants for a statement of another place than the schema, by its name. Default: `grants`. */
  readonly grantsOfStatements?: Readonly<Record<string, string>>
  /** Loads only the code that this form needs. */
  readonly load: () => Promise<(address: CatalogAddress) => Promise<Catalog>>
}

export const FORMS: readonly CatalogForm[] = [
  {
    kind: 'duckdb',
    hasRows: true,
    example: 'duckdb:path.duckdb, duckdb:folder/',
    schemes: ['duckdb'],
    endings: ['.duckdb'],
    driver: '@duckdb/node-api',
    slow: 'select count(*) from range(10000000) a, range(10000000) b where a.range * b.range = -1',
    load: async () => (await import('./duckdb/index.ts')).duckdb,
  },
  {
    kind: 'postgres',
    hasRows: true,
    example: POSTGRES.form,
    schemes: ['postgres', 'postgresql'],
    server: POSTGRES,
    driver: 'pg',
    slow: 'select pg_sleep(30)',
    grants:
      'grant usage on schema {schema} to {user}; grant select on all tables in schema {schema} to {user}',
    load: async () => {
      const { postgres } = await import('./postgres/index.ts')
      return ({ signal, socket, text }) => postgres({ connectionString: text, signal, socket })
    },
  },
  {
    kind: 'mysql',
    hasRows: true,
    example: MYSQL.form,
    schemes: ['mysql', 'mariadb'],
    server: MYSQL,
    driver: 'mysql2',
    slow: 'select sleep(30)',
    grants: 'grant select on {schema}.* to {user}',
    load: async () => {
      const { mysql } = await import('./mysql/index.ts')
      return ({ signal, socket, text }) => mysql({ connectionString: text, signal, socket })
    },
  },
  {
    kind: 'redshift',
    hasRows: true,
    example: REDSHIFT.form,
    schemes: ['redshift'],
    server: REDSHIFT,
    driver: 'pg',
    slow: 'select count(*) from pg_catalog.pg_attribute a cross join pg_catalog.pg_attribute b cross join pg_catalog.pg_attribute c',
    grants:
      'grant usage on schema {schema} to {user}; grant select on all tables in schema {schema} to {user}; grant select on svv_table_info to {user}',
    load: async () => (await import('./redshift/index.ts')).redshift,
  },
  {
    kind: 'bigquery',
    hasRows: true,
    example: BIGQUERY.form,
    schemes: ['bigquery'],
    server: BIGQUERY,
    slow: 'select count(*) from unnest(generate_array(1, 1000000)) a, unnest(generate_array(1, 1000000)) b where a * b = -1',
    grants:
      'grant `roles/bigquery.dataViewer`, `roles/bigquery.metadataViewer` on schema {schema} to "user:<account>", and roles/bigquery.jobUser on the billed project',
    load: async () => (await import('./bigquery/index.ts')).bigquery,
  },
  {
    kind: 'sqlserver',
    hasRows: true,
    example: SQLSERVER.form,
    schemes: ['sqlserver', 'mssql'],
    server: SQLSERVER,
    driver: 'mssql',
    slow: "waitfor delay '00:00:30'",
    grants: 'grant select, view definition on schema::{schema} to {user}',
    load: async () => (await import('./sqlserver/index.ts')).sqlserver,
  },
  {
    kind: 'clickhouse',
    hasRows: true,
    example: CLICKHOUSE.form,
    schemes: ['clickhouse'],
    server: CLICKHOUSE,
    slow: 'select count() from numbers(1000000000000) where cityHash64(number) = 1',
    grants: 'grant show columns, select on {schema}.* to {user}',
    grantsOfStatements: { parts: 'grant select on system.parts to {user}' },
    load: async () => (await import('./clickhouse/index.ts')).clickhouse,
  },
  {
    kind: 'trino',
    hasRows: true,
    example: TRINO.form,
    schemes: ['trino'],
    server: TRINO,
    slow: 'select count(*) from unnest(sequence(1, 10000)) a (x) cross join unnest(sequence(1, 10000)) b (y) cross join unnest(sequence(1, 10000)) c (z) where x * y * z = -1',
    grants: 'grant select on schema {database}.{schema} to user {user}',
    grantsOfStatements: {
      comments: 'allow {user} to select from system.metadata.table_comments, in the access control of Trino',
    },
    load: async () => (await import('./trino/index.ts')).trino,
  },
  {
    kind: 'databricks',
    hasRows: true,
    example: DATABRICKS.form,
    schemes: ['databricks'],
    server: DATABRICKS,
    slow: 'select count(*) from range(10000000) a cross join range(10000000) b where a.id * b.id = -1',
    grants:
      'grant use catalog on catalog {database} to {user}; grant use schema, select on schema {database}.{schema} to {user}',
    load: async () => (await import('./databricks/index.ts')).databricks,
  },
  {
    kind: 'athena',
    example: ATHENA.form,
    schemes: ['athena'],
    server: ATHENA,
    load: async () => (await import('./athena/index.ts')).athena,
  },
  {
    kind: 'sqlite',
    hasRows: true,
    example: 'sqlite:path.db',
    schemes: ['sqlite'],
    endings: ['.sqlite', '.sqlite3'],
    load: async () => (await import('./sqlite/index.ts')).sqlite,
  },
  {
    kind: 'snowflake',
    hasRows: true,
    example: SNOWFLAKE.form,
    schemes: ['snowflake'],
    server: SNOWFLAKE,
    slow: 'select system$wait(30)',
    grants:
      'grant usage on database {database} to role <role>; grant usage on schema {database}.{schema} to role <role>; grant select on all tables in schema {database}.{schema} to role <role>; grant usage on warehouse <warehouse> to role <role>',
    load: async () => (await import('./snowflake/index.ts')).snowflake,
  },
  {
    kind: 'columns',
    example: 'columns.yml, columns.json, columns.csv, columns:path',
    schemes: ['columns'],
    endings: ['.yml', '.yaml', '.json', '.csv', '.tsv'],
    isText: true,
    load: async () => (await import('./columns/index.ts')).columns,
  },
  {
    kind: 'ddl',
    example: 'schema.sql, ddl:folder/',
    schemes: ['ddl'],
    endings: ['.sql'],
    isText: true,
    load: async () => (await import('./ddl/index.ts')).ddl,
  },
  {
    kind: 'dbt',
    example: 'dbt:target/, dbt:target/manifest.json',
    schemes: ['dbt'],
    load: async () => (await import('./dbt/index.ts')).dbt,
  },
]

import type { Catalog, DialectName } from '@stagecraft/spec'
import type { AddressDefaults } from './network/address.ts'
import { MYSQL, POSTGRES } from './network/servers.ts'

/** The parts of a catalog's text, and the signal that stops its opening. */
interface CatalogAddress {
  /** The whole text: a connection string. */
  readonly text: string
  /** The text between scheme and options. */
  readonly path: string
  readonly dialect: DialectName | undefined
  readonly target: DialectName | undefined
  readonly encoding: string | undefined
  readonly signal: AbortSignal | undefined
}

/** One way to write a catalog, and what opens it. */
export interface CatalogForm {
  /** The name of the form. */
  readonly kind: string
  /** An example, for messages. */
  readonly example: string
  /** The schemes that it begins with, without the colon. */
  readonly schemes: readonly string[]
  /** Endings of a bare path that mean the same; default none. */
  readonly endings?: readonly string[]
  /** Of a server: how its address is read. Default: it is a path. */
  readonly server?: AddressDefaults
  /** True for a text file, which may be followed by `?dialect=…` and `?encoding=…`. Default false. */
  readonly isText?: true
  /** Loads no more than this form needs. */
  readonly load: () => Promise<(address: CatalogAddress) => Promise<Catalog>>
}

export const FORMS: readonly CatalogForm[] = [
  {
    kind: 'duckdb',
    example: 'duckdb:path.duckdb, duckdb:folder/',
    schemes: ['duckdb'],
    endings: ['.duckdb'],
    load: async () => (await import('./duckdb/index.ts')).duckdb,
  },
  {
    kind: 'postgres',
    example: POSTGRES.form,
    schemes: ['postgres', 'postgresql'],
    server: POSTGRES,
    load: async () => {
      const { postgres } = await import('./postgres/index.ts')
      return ({ signal, text }) => postgres({ connectionString: text, signal })
    },
  },
  {
    kind: 'mysql',
    example: MYSQL.form,
    schemes: ['mysql', 'mariadb'],
    server: MYSQL,
    load: async () => {
      const { mysql } = await import('./mysql/index.ts')
      return ({ signal, text }) => mysql({ connectionString: text, signal })
    },
  },
  {
    kind: 'sqlite',
    example: 'sqlite:path.db',
    schemes: ['sqlite'],
    endings: ['.sqlite', '.sqlite3'],
    load: async () => (await import('./sqlite/index.ts')).sqlite,
  },
  {
    kind: 'columns',
    example: 'columns.yml, columns.json, columns.csv, columns:path',
    schemes: ['columns'],
    endings: ['.yml', '.yaml', '.json', '.csv'],
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

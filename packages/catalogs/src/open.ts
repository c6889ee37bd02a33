import { type Catalog, type DialectName, StagecraftError } from '@stagecraft/spec'
import { parseDialect } from './dialect-option.ts'

export interface OpenCatalogOptions {
  /** Stops the opening, which then throws the signal's reason. Default: nothing stops it. */
  readonly signal?: AbortSignal | undefined
}

/** What a text is taken apart into. */
interface Address {
  /** The whole text: a connection string. */
  readonly text: string
  /** What stands between scheme and options. */
  readonly path: string
  readonly dialect: DialectName | undefined
  readonly signal: AbortSignal | undefined
}

/** One way to write a catalog, and what opens it. */
interface Form {
  /** How it looks, for messages. */
  readonly example: string
  /** What it begins with, without the colon. */
  readonly schemes: readonly string[]
  /** Endings of a bare path that mean the same; default none. */
  readonly endings?: readonly string[]
  /** Whether `?dialect=…` may stand behind it; default no. */
  readonly takesDialect?: true
  /** Loads no more than this form needs. */
  readonly load: () => Promise<(address: Address) => Promise<Catalog>>
}

const FORMS: readonly Form[] = [
  {
    example: 'duckdb:path.duckdb, duckdb:folder/',
    schemes: ['duckdb'],
    endings: ['.duckdb'],
    load: async () => (await import('./duckdb/index.ts')).duckdb,
  },
  {
    example: 'postgres://user:password@host:5432/database',
    schemes: ['postgres', 'postgresql'],
    load: async () => {
      const { postgres } = await import('./postgres/index.ts')
      return ({ signal, text }) => postgres({ connectionString: text, signal })
    },
  },
  {
    example: 'mysql://user:password@host:3306/database',
    schemes: ['mysql', 'mariadb'],
    load: async () => {
      const { mysql } = await import('./mysql/index.ts')
      return ({ signal, text }) => mysql({ connectionString: text, signal })
    },
  },
  {
    example: 'sqlite:path.db',
    schemes: ['sqlite'],
    endings: ['.sqlite', '.sqlite3'],
    load: async () => (await import('./sqlite/index.ts')).sqlite,
  },
  {
    example: 'columns.yml, columns.json, columns.csv, columns:path',
    schemes: ['columns'],
    endings: ['.yml', '.yaml', '.json', '.csv'],
    takesDialect: true,
    load: async () => (await import('./columns/index.ts')).columns,
  },
  {
    example: 'schema.sql, ddl:folder/',
    schemes: ['ddl'],
    endings: ['.sql'],
    takesDialect: true,
    load: async () => (await import('./ddl/index.ts')).ddl,
  },
  {
    example: 'dbt:target/, dbt:target/manifest.json',
    schemes: ['dbt'],
    load: async () => (await import('./dbt/index.ts')).dbt,
  },
]

/**
 * Opens the catalog that a text names. When it returns, files are read and a database has answered once. Paths are
 * relative to the working directory.
 *
 * - `path.duckdb`, `duckdb:path`, or `duckdb:folder/` of parquet and csv files
 * - `postgres://…` or `postgresql://…`, `mysql://…` or `mariadb://…`
 * - `path.sqlite`, `.sqlite3`, or `sqlite:path`
 * - `columns.yml`, `.yaml`, `.json`, `.csv`, or `columns:path` (docs/columns-file.md)
 * - `schema.sql`, or `ddl:path` of a file or folder
 * - `dbt:target/`, or `dbt:path/to/manifest.json`
 *
 * Behind a columns file or SQL file `?dialect=snowflake` says which warehouse it describes.
 *
 * @example
 * const catalog = await openCatalog('schema.sql?dialect=snowflake')
 * const tables = await catalog.tables({})
 * await catalog.close()
 * @throws {StagecraftError} INVALID_REQUEST for a text of another form, a faulty file or a driver that is not installed;
 * CONNECTION_FAILED for a server or file that cannot be read.
 */
export async function openCatalog(text: string, { signal }: OpenCatalogOptions = {}): Promise<Catalog> {
  signal?.throwIfAborted()
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(text)?.[1] ?? '' // one letter is a drive of Windows
  const { dialect, path } = splitOptions(text.slice(scheme === '' ? 0 : scheme.length + 1))
  const form = path === '' ? undefined : findForm(scheme.toLowerCase(), path)
  if (!form) throw invalidCatalog(text, scheme)
  if (dialect !== undefined && !form.takesDialect) throw uselessDialect(form)
  const open = await form.load()
  return open({ text, path, dialect, signal })
}

function findForm(scheme: string, path: string): Form | undefined {
  if (scheme !== '') return FORMS.find(({ schemes }) => schemes.includes(scheme))
  const lower = path.toLowerCase()
  return FORMS.find(({ endings }) => endings?.some((ending) => lower.endsWith(ending)))
}

/** Takes `?dialect=…` off the end; every other question mark is part of the path. */
function splitOptions(text: string): Pick<Address, 'path' | 'dialect'> {
  const [, path = text, name] = /^(.*)\?dialect=([^?&/]*)$/s.exec(text) ?? []
  return { path, dialect: name === undefined ? undefined : parseDialect(name, 'catalog') }
}

/** The text may hold a password: of one with a scheme no more than that is repeated, of one with an @ nothing. */
function invalidCatalog(text: string, scheme: string): StagecraftError {
  const expected = `one of ${FORMS.map(({ example }) => example).join(', ')}`
  const known = scheme === '' ? text : `${scheme}:…`
  const received = known.includes('@') ? 'another text' : JSON.stringify(known)
  return new StagecraftError('INVALID_REQUEST', `catalog: expected ${expected}, got ${received}`, {
    details: { faults: [{ path: 'catalog', expected, received }] },
  })
}

function uselessDialect({ example, schemes }: Form): StagecraftError {
  const expected = `${example} without ?dialect=, because it knows its dialect`
  const received = `${schemes[0]}:…?dialect=…`
  return new StagecraftError('INVALID_REQUEST', `catalog: expected ${expected}, got ${received}`, {
    details: { faults: [{ path: 'catalog', expected, received }] },
  })
}

import { isThisMachine } from './snowflake/hosts.ts'
import { type Catalog, type DialectName, StagecraftError } from '@stagecraft/spec'
import { assertPlainPath } from './files/assert-plain-path.ts'
import { nearestNames } from './find-table.ts'
import { type CatalogForm, FORMS } from './forms.ts'
import { type AddressDefaults, parseAddress } from './network/address.ts'
import type { SocketFactory } from './network/socket.ts'
import { parseDialect } from './parse-dialect.ts'

interface ParsedCatalog {
  readonly form: CatalogForm
  /** The text between scheme and options. */
  readonly path: string
  readonly dialect: DialectName | undefined
  /** The encoding of the file, unless it is UTF-8. */
  readonly encoding: string | undefined
}

/**
 * Parses the text of a catalog, without opening it.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text of another form.
 */
function parseCatalog(text: string): ParsedCatalog {
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(text)?.[1] ?? '' // a single letter is a Windows drive
  const { dialect, encoding, path } = splitOptions(text.slice(scheme === '' ? 0 : scheme.length + 1))
  const form = path === '' ? undefined : findForm(scheme.toLowerCase(), path)
  if (!form) throw invalidCatalog(text, scheme)
  const useless = form.isText
    ? undefined
    : dialect !== undefined
      ? 'dialect'
      : encoding !== undefined
        ? 'encoding'
        : undefined
  if (useless !== undefined) throw uselessOption(form, useless)
  return { form, path, dialect, encoding }
}

function findForm(scheme: string, path: string): CatalogForm | undefined {
  if (scheme !== '') return FORMS.find(({ schemes }) => schemes.includes(scheme))
  const lower = path.toLowerCase()
  return FORMS.find(({ endings }) => endings?.some((ending) => lower.endsWith(ending)))
}

/** Removes `?dialect=…` and `&encoding=…` from the end; every other question mark is part of the path. */
function splitOptions(text: string): Pick<ParsedCatalog, 'path' | 'dialect' | 'encoding'> {
  const [, path = text, query] = /^(.*)\?((?:(?:dialect|encoding)=[^?&/]*(?:&(?=.)|$))+)$/s.exec(text) ?? []
  const options = new URLSearchParams(query)
  const [dialect, encoding] = [options.get('dialect'), options.get('encoding')]
  return {
    path,
    dialect: dialect === null ? undefined : parseDialect(dialect, 'catalog'),
    encoding: encoding === null ? undefined : parseEncoding(encoding),
  }
}

/** Returns the name that TextDecoder uses for an encoding: https://encoding.spec.whatwg.org/#names-and-labels */
function parseEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding
  } catch (cause) {
    const expected = 'an encoding such as windows-1252, iso-8859-2, utf-16le or shift_jis'
    throw new StagecraftError('INVALID_REQUEST', `catalog: expected ${expected}, got "${name}"`, {
      cause,
      details: { faults: [{ path: 'encoding', expected, received: `"${name}"` }] },
    })
  }
}

/**
 * Creates the error for an invalid text, with the most similar form. The text may contain a password, so that the
 * message repeats only its scheme, and nothing of a text with an @.
 */
function invalidCatalog(text: string, scheme: string): StagecraftError {
  const known = scheme === '' ? text : `${scheme}:…`
  const received = /^[\w.+/\\:…~-]*$/.test(known) ? JSON.stringify(known) : 'something else'
  const suggestion = 'stagecraft --help lists all forms of catalogs'
  return StagecraftError.invalid(
    { path: 'catalog', expected: expectedForm(scheme, text), received },
    { suggestion },
  )
}

/** Describes the form that a text most likely means. */
function expectedForm(scheme: string, text: string): string {
  const schemes = FORMS.flatMap((form) => form.schemes.map((name) => ({ form, name })))
  const [nearest] = nearestNames(
    scheme === '' ? text : scheme,
    schemes.map(({ name }) => name),
  )
  const similar = schemes.find(({ name }) => name === nearest)?.form
  if (similar) return similar.example
  if (scheme !== '') return `a known scheme instead of ${scheme}:`
  const endings = FORMS.flatMap((form) => form.endings ?? [])
  return `a path that ends in ${endings.join(', ')}, or a scheme before it, such as ddl: or columns:`
}

function uselessOption({ example, schemes }: CatalogForm, option: 'dialect' | 'encoding'): StagecraftError {
  const expected = `${example} without ?${option}=, because it has its own ${option}`
  const received = `${schemes[0]}:…?${option}=…`
  return StagecraftError.invalid({ path: 'catalog', expected, received })
}

/** Returns the form of a text. */
export function formOf(text: string): CatalogForm {
  return parseCatalog(text).form
}

/** The description of a catalog without its secrets. */
export interface CatalogPlace {
  /** `postgres`, `mysql`, `clickhouse`, `trino`, `sqlite`, `duckdb`, `columns`, `ddl` or `dbt`. */
  readonly kind: string
  /** The target, without user, password and options: `db.example.com:5432/raw`, or a path. */
  readonly target: string
  /** True for a server; false for the file or folder in `localPaths`. */
  readonly isServer: boolean
  /** True if rows can be read, not only columns. */
  readonly hasRows: boolean
  /** The local paths that it reads: the file itself, a socket, TLS certificates and keys. */
  readonly localPaths: readonly string[]
  /**
   * True if the driver looks for a password, or for the project of BigQuery, in the environment and the home folder of the current user, or
   * signs in as this user.
   */
  readonly borrowsPassword: boolean
  /**
   * The hosts that receive a secret, or the identity of the current user, and are neither the vendor's nor
   * this machine.
   */
  readonly chosenHosts: readonly string[]
}

/** Options of pg and mysql2 that name files. */
const PATH_OPTIONS = ['sslcert', 'sslkey', 'sslrootcert', 'socketPath']

/**
 * Describes the catalog of a text, without opening it.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text of another form. The message does not repeat a
 * possible password.
 */
export function locateCatalog(text: string): CatalogPlace {
  const { form, path } = parseCatalog(text)
  const { hasRows = false } = form
  if (!form.server)
    return {
      kind: form.kind,
      target: path,
      isServer: false,
      hasRows,
      localPaths: [path],
      borrowsPassword: false,
      chosenHosts: [],
    }
  const address = parseAddress(text, form.server)
  const { database, host, port } = address
  const url = URL.parse(text)
  const options = url?.searchParams
  const {
    borrows = false,
    borrowsDatabase = false,
    files = PATH_OPTIONS,
    passwordVariable,
    secrets = [],
  } = form.server
  const hasPassword = Boolean(url?.password) || Boolean(options?.get('password'))
  const hasSecret = hasPassword || secrets.some((name) => options?.get(name))
  const takesVariable = Boolean(process.env[passwordVariable ?? '']) && !hasPassword
  const isForeign = form.server.vendorHosts?.test(host) === false && !isThisMachine(host)
  const isIdentity = takesIdentity(options, form.server)
  return {
    kind: form.kind,
    target: `${host}:${port}/${database ?? ''}`,
    isServer: true,
    hasRows,
    localPaths: [
      ...(host.startsWith('/') ? [host] : []),
      ...files.flatMap((name) => options?.getAll(name) ?? []),
    ],
    borrowsPassword:
      (borrows && !hasSecret) || (borrowsDatabase && database === undefined) || takesVariable || isIdentity,
    chosenHosts: [...(form.server.chosenHosts?.(address) ?? []), ...(isIdentity && isForeign ? [host] : [])],
  }
}

function takesIdentity(
  options: URLSearchParams | undefined,
  { ownIdentities = {}, ownKeys }: AddressDefaults,
): boolean {
  if (ownKeys?.every((name) => options?.get(name))) return false
  return Object.entries(ownIdentities).some(([name, values]) =>
    values.includes(options?.get(name)?.toLowerCase() ?? ''),
  )
}

export interface OpenCatalogOptions {
  /**
   * The dialect of the output, for SQL files: the default dialect of the files, and the rule for storing their
   * unquoted names. Default: none.
   */
  readonly dialect?: DialectName | undefined
  /** Cancels opening, which then throws the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined
  /** Sends the requests of catalogs that use HTTP, such as ClickHouse and Trino. @default the `fetch` of Node */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Creates the sockets of catalogs that do not use HTTP: PostgreSQL, MySQL, Redshift and SQL Server. The
   * driver then calls `connect(port, host)`. @default the sockets of the drivers
   */
  readonly socket?: SocketFactory | undefined
}

/**
 * Opens the catalog of a text. When it returns, files are read, or the database has answered once. Paths are
 * relative to the working directory.
 *
 * - `path.duckdb`, `duckdb:path`, or `duckdb:folder/` of parquet and csv files
 * - `postgres://…` or `postgresql://…`, `mysql://…` or `mariadb://…`
 * - `clickhouse://user:password@host:8123/database`, `trino://user:password@host:8443/catalog/schema`
 * - `redshift://user:password@host:5439/database/schema`, `bigquery://bigquery.googleapis.com/project/dataset`,
 *   `sqlserver://user:password@host:1433/database/schema`
 * - `path.sqlite`, `.sqlite3`, or `sqlite:path`
 * - `columns.yml`, `.yaml`, `.json`, `.csv`, or `columns:path` (docs/reference/columns-file.md)
 * - `schema.sql`, or `ddl:path` of a file or folder
 * - `dbt:target/`, or `dbt:path/to/manifest.json`
 *
 * After a columns file or SQL file, `?dialect=snowflake` names the warehouse that the file describes, and
 * `?encoding=windows-1252` its encoding, which UTF-8, and UTF-16 with a byte order mark, do not need.
 *
 * @example
 * const catalog = await openCatalog('schema.sql?dialect=snowflake')
 * const tables = await catalog.tables({})
 * await catalog.close()
 * @throws {StagecraftError} INVALID_REQUEST for a text of another form, an invalid file or a driver that is
 * not installed; CONNECTION_FAILED for a server or file that cannot be read.
 */
export async function openCatalog(
  text: string,
  { dialect: target, fetch, signal, socket }: OpenCatalogOptions = {},
): Promise<Catalog> {
  signal?.throwIfAborted()
  const { form, ...address } = parseCatalog(text)
  if (!form.server) await assertPlainPath(address.path)
  const open = await form.load()
  return open({ ...address, text, target, signal, fetch, socket })
}

import { parseAddress } from './network/address.ts'
import { parseCatalog } from './parse-catalog.ts'

/** The description of a catalog without its secrets. */
export interface CatalogPlace {
  /** `postgres`, `mysql`, `sqlite`, `duckdb`, `columns`, `ddl` or `dbt`. */
  readonly kind: string
  /** The target, without user, password and options: `db.example.com:5432/raw`, or a path. */
  readonly target: string
  /** True for a server; otherwise it is the one file or folder of `localPaths`. */
  readonly isServer: boolean
  /** The paths of this machine that it reads: the file itself, a socket, certificates and keys of TLS. */
  readonly localPaths: readonly string[]
  /** True if the driver looks for a password in the environment and the home folder of the current user. */
  readonly borrowsPassword: boolean
}

/** Options of pg and mysql2 that name files. */
const PATH_OPTIONS = ['sslcert', 'sslkey', 'sslrootcert', 'socketPath']

/**
 * Describes the catalog that a text names, without opening it.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text of another form; it does not repeat what may be a password.
 */
export function locateCatalog(text: string): CatalogPlace {
  const { form, path } = parseCatalog(text)
  if (!form.server)
    return { kind: form.kind, target: path, isServer: false, localPaths: [path], borrowsPassword: false }
  const { database, host, port } = parseAddress(text, form.server)
  const url = URL.parse(text)
  const options = url?.searchParams
  const hasPassword = Boolean(url?.password) || Boolean(options?.get('password'))
  return {
    kind: form.kind,
    target: `${host}:${port}/${database ?? ''}`,
    isServer: true,
    localPaths: [
      ...(host.startsWith('/') ? [host] : []),
      ...PATH_OPTIONS.flatMap((name) => options?.getAll(name) ?? []),
    ],
    borrowsPassword: form.kind === 'postgres' && !hasPassword, // pg: PGPASSWORD, ~/.pgpass
  }
}

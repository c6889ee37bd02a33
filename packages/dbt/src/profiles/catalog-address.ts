import { StagecraftError } from '@stagecraft/spec'
import { asList, asRecord, asText } from '../project/shapes.ts'
import { type AddressParts, buildAddress } from './build-address.ts'
import { reachAthena } from './reach/athena.ts'
import { reachBigquery } from './reach/bigquery.ts'
import { reachDatabricks } from './reach/databricks.ts'
import type { AddressOptions, CatalogAddress, Reach } from './reach/reach.ts'
import { reachRedshift } from './reach/redshift.ts'
import { reachSqlserver } from './reach/sqlserver.ts'
import { reachClickhouse } from './reach/clickhouse.ts'
import { reachTrino } from './reach/trino.ts'
import { reachSnowflake } from './reach/snowflake.ts'
import { fieldOf, type Profile, PROFILES_FILE } from './read-profile.ts'

const REACHED: Readonly<Record<string, Reach>> = {
  postgres: reachPostgres,
  mysql: reachMysql,
  mariadb: reachMysql,
  duckdb: reachDuckdb,
  sqlite: reachSqlite,
  redshift: reachRedshift,
  bigquery: reachBigquery,
  sqlserver: reachSqlserver,
  fabric: reachSqlserver,
  synapse: reachSqlserver,
  clickhouse: reachClickhouse,
  trino: reachTrino,
  snowflake: reachSnowflake,
  athena: reachAthena,
  databricks: reachDatabricks,
}

/**
 * Returns the way to reach the warehouse of a profile.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an invalid port.
 */
export function catalogAddress(profile: Profile, options: AddressOptions): CatalogAddress {
  assertPort(profile)
  const reach = REACHED[profile.type]
  if (reach) return reach(profile, options)
  return { reason: `no catalog reads ${profile.type} directly` }
}

function assertPort({ fields, name, target }: Profile): void {
  const { port } = fields
  if (port === undefined || port === null || port === '') return
  const isPort =
    typeof port !== 'object' && /^\d+$/.test(String(port)) && Number(port) > 0 && Number(port) < 65_536
  if (isPort) return
  throw StagecraftError.invalid({
    path: `${PROFILES_FILE}: ${name}.outputs.${target}.port`,
    expected: 'a port from 1 to 65535',
    received: typeof port === 'number' ? String(port) : 'something else', // which may be a secret
  })
}

/** https://docs.getdbt.com/docs/core/connect-data-platform/postgres-setup */
function reachPostgres(profile: Profile): CatalogAddress {
  const mode = fieldOf(profile, 'sslmode')
  const session = [
    ...setting('role', fieldOf(profile, 'role')),
    ...setting('search_path', fieldOf(profile, 'search_path')),
  ].join(' ')
  const address = (sslmode: string | undefined): string => {
    const encrypted = sslmode !== undefined && sslmode !== 'disable'
    return serverAddress('postgres', profile, {
      database: fieldOf(profile, 'dbname', 'database'),
      options: {
        // libpq, and therefore dbt, checks certificates only in the verify modes
        ...(encrypted && { sslmode, uselibpqcompat: 'true' }),
        ...fileOptions(profile),
        ...(session !== '' && { options: session }),
      },
    })
  }
  // libpq prefers TLS, but accepts servers without it
  if (mode === undefined || mode === 'prefer') return { addresses: [address('require'), address(undefined)] }
  if (mode === 'allow') return { addresses: [address(undefined), address('require')] }
  return { addresses: [address(mode)] }
}

function fileOptions(profile: Profile): Readonly<Record<string, string>> {
  const names = ['sslcert', 'sslkey', 'sslrootcert']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fieldOf(profile, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function setting(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`]
}

/** https://github.com/dbeatty10/dbt-mysql: a schema of dbt is a database of MySQL. */
function reachMysql(profile: Profile): CatalogAddress {
  const socket = fieldOf(profile, 'unix_socket')
  const options = socket === undefined ? {} : { socketPath: socket }
  return { addresses: [serverAddress('mysql', profile, { database: fieldOf(profile, 'schema'), options })] }
}

function serverAddress(
  scheme: string,
  profile: Profile,
  { database, options }: { readonly database: string | undefined; readonly options: AddressParts['options'] },
): string {
  return buildAddress({
    scheme,
    user: fieldOf(profile, 'user', 'username', 'UID'),
    password: fieldOf(profile, 'password', 'pass', 'PWD'),
    host: fieldOf(profile, 'host', 'server') ?? 'localhost',
    port: fieldOf(profile, 'port'),
    path: [database],
    options,
  })
}

/** https://docs.getdbt.com/docs/core/connect-data-platform/duckdb-setup */
function reachDuckdb(profile: Profile, { projectFolder }: AddressOptions): CatalogAddress {
  const path = fieldOf(profile, 'path') ?? ':memory:'
  if (path === ':memory:') return { reason: 'its DuckDB is in memory, and is lost when dbt ends' }
  if (/^[a-z][a-z\d+.-]+:/i.test(path)) return { reason: 'its DuckDB is not a file on this machine' }
  return { addresses: [`duckdb:${inFolder(path, projectFolder)}`] }
}

/** https://github.com/codeforkjeff/dbt-sqlite: the file of the schema, by its name. */
function reachSqlite(profile: Profile, { projectFolder }: AddressOptions): CatalogAddress {
  const paths = asRecord(profile.fields['schemas_and_paths'])
  const path = asText(
    paths['main'] ?? paths[fieldOf(profile, 'schema') ?? ''] ?? asList(Object.values(paths))[0],
  )
  if (path === undefined) return { reason: 'its schemas_and_paths lists no file' }
  return { addresses: [`sqlite:${inFolder(path, projectFolder)}`] }
}

function inFolder(path: string, folder: string): string {
  const isAbsolute = /^(?:[/\\]|[a-z]:[/\\])/i.test(path)
  return isAbsolute ? path : `${folder}/${path.replace(/^\.\//, '')}`
}

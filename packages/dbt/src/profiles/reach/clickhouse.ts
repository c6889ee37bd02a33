import { buildAddress } from '../build-address.ts'
import type { CatalogAddress } from './reach.ts'
import { fieldOf, type Profile } from '../read-profile.ts'

/** The ports of ClickHouse's native protocol. */
const NATIVE_PORTS = new Set(['9000', '9440'])

/**
 * https://clickhouse.com/docs/integrations/dbt/features-and-configurations: every server with the native protocol
 * also has the HTTP interface, unless disabled, on a port that the profile does not name.
 */
export function reachClickhouse(profile: Profile): CatalogAddress {
  const driver = fieldOf(profile, 'driver')
  if (driver === 'chdb') return { reason: 'its ClickHouse runs inside dbt, and is lost when dbt ends' }
  const port = fieldOf(profile, 'port')
  const isSecure = isWord(profile, 'secure', 'true')
  const isNative = driver === 'native' || (driver === undefined && NATIVE_PORTS.has(port ?? ''))
  const certificate = fieldOf(profile, 'client_cert')
  const address = buildAddress({
    scheme: 'clickhouse',
    user: fieldOf(profile, 'user', 'username') ?? 'default',
    password: fieldOf(profile, 'password', 'pass'),
    host: fieldOf(profile, 'host') ?? 'localhost',
    port: port === undefined || isNative ? (isSecure ? '8443' : '8123') : port,
    path: [],
    options: {
      secure: `${isSecure}`,
      verify: isWord(profile, 'verify', 'false') ? 'false' : undefined,
      sslcert: certificate,
      sslkey: fieldOf(profile, 'client_cert_key') ?? certificate,
    },
  })
  return { addresses: [address] }
}

/** A boolean from an environment variable is a text. */
function isWord(profile: Profile, name: string, word: string): boolean {
  return fieldOf(profile, name)?.toLowerCase() === word
}

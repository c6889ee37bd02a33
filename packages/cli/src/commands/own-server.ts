import { locateCatalog } from '@stagecraft/catalogs'
import { StagecraftError } from '@stagecraft/spec'

type Environment = Readonly<Record<string, string | undefined>>

/** The default host of the tools of these servers, and so the host that the password is for. */
const OWN_HOST = 'localhost'

/** The variable with the password of a kind of server, and the one with the host that it is for. */
const PASSWORDS: Readonly<Record<string, { readonly password: string; readonly host: string }>> = {
  postgres: { password: 'PGPASSWORD', host: 'PGHOST' },
  clickhouse: { password: 'CLICKHOUSE_PASSWORD', host: 'CLICKHOUSE_HOST' },
  trino: { password: 'TRINO_PASSWORD', host: 'TRINO_HOST' },
}

/**
 * Sees to it that a catalog in a configuration file, which may be somebody else's, does not get the password of this
 * user: `PGPASSWORD` is for the server in `PGHOST`, and so for the others.
 *
 * @throws {StagecraftError} INVALID_REQUEST for another server.
 */
export function assertOwnServer(catalog: string, environment: Environment): void {
  if (!Object.values(PASSWORDS).some(({ password }) => environment[password])) return
  const { borrowsPassword, kind } = locateCatalog(catalog)
  const variables = PASSWORDS[kind]
  if (!borrowsPassword || !variables || !environment[variables.password]) return
  const url = URL.parse(catalog)
  const hosts = [url?.hostname ?? '', ...(url?.searchParams.getAll('host') ?? [])].filter(
    (host) => host !== '',
  )
  const own = environment[variables.host] || OWN_HOST
  const foreign = hosts.find((host) => plain(host) !== plain(own))
  if (foreign === undefined) return
  const expected = `a server that ${variables.host} names too, because ${variables.password} would be sent to it`
  const suggestion = `set ${variables.host}=${foreign} when the password is for it, or give the address by --catalog or as env:<variable>`
  throw StagecraftError.invalid({ path: 'catalog', expected, received: foreign }, { suggestion })
}

/** The same for all names of this machine; a folder is that of a socket. */
function plain(host: string): string {
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|\/.*)$/i.test(decodeURIComponent(host))
  return isLocal ? OWN_HOST : host.toLowerCase()
}

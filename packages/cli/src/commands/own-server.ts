import { locateCatalog } from '@stagecraft/catalogs'
import { StagecraftError } from '@stagecraft/spec'

type Environment = Readonly<Record<string, string | undefined>>

/** The default host of these servers' tools, for which the password is meant. */
const OWN_HOST = 'localhost'

/** The variable with the password for a kind of server, and the one with its host. */
const PASSWORDS: Readonly<Record<string, { readonly password: string; readonly host: string }>> = {
  postgres: { password: 'PGPASSWORD', host: 'PGHOST' },
  clickhouse: { password: 'CLICKHOUSE_PASSWORD', host: 'CLICKHOUSE_HOST' },
  trino: { password: 'TRINO_PASSWORD', host: 'TRINO_HOST' },
}

/**
 * Checks the server that a catalog in a configuration file, possibly someone else's, sends this user's password to.
 * `PGPASSWORD` is for the server in `PGHOST`, and the others accordingly.
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
  const expected = `the server in ${variables.host}, because ${variables.password} would be sent to it`
  const suggestion = `set ${variables.host}=${foreign} if the password is for it, or pass the address with --catalog or as env:<variable>`
  throw StagecraftError.invalid({ path: 'catalog', expected, received: foreign }, { suggestion })
}

/** The vendors' hosts, for messages. */
const VENDOR_HOSTS: Readonly<Record<string, string>> = {
  snowflake: 'a host of snowflakecomputing.com, or of okta.com to sign in',
  redshift: 'a host of redshift.amazonaws.com, because your own identity in AWS would get a password for it',
  sqlserver:
    'a host of Azure, such as one of database.windows.net, because your own token would be sent to it',
}

/**
 * Checks the host that an address in a project file, possibly someone else's, sends a key or password of this user to.
 * If the warehouse has hosts of its vendor, only these are allowed.
 *
 * @throws {StagecraftError} INVALID_REQUEST for another host.
 */
export function assertVendorHosts(catalog: string): void {
  const { chosenHosts, kind } = locateCatalog(catalog)
  const [host] = chosenHosts
  if (host === undefined) return
  const expected = `${VENDOR_HOSTS[kind] ?? 'a host of its vendor'}, in a file of the project`
  const suggestion =
    'pass the address with --catalog or as env:<variable>, or keep the profile outside the project, as in ~/.dbt'
  throw StagecraftError.invalid({ path: 'catalog', expected, received: host }, { suggestion })
}

/** Keys of language models and of Stagecraft, and tokens of code hosts and registries. */
const FOR_OTHERS =
  /^(?:\w+_API_KEY|STAGECRAFT_(?:SECRET|ADMIN)_KEY|(?:GH|GITHUB|GITHUB_ENTERPRISE|GH_ENTERPRISE|GITLAB|CI_JOB|BITBUCKET|NPM|NODE_AUTH|ACTIONS_RUNTIME|ACTIONS_ID_TOKEN_REQUEST)_TOKEN)$/i

/** Returns true for an environment variable with a secret that is not for warehouses. dbt's variables (`DBT_…`) are. */
export function isForOthers(variable: string): boolean {
  return FOR_OTHERS.test(variable) && !/^DBT_/i.test(variable)
}

/** Returns one name for all names of this machine; a folder is that of a socket. */
function plain(host: string): string {
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|\/.*)$/i.test(decodeURIComponent(host))
  return isLocal ? OWN_HOST : host.toLowerCase()
}

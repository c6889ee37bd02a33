import { locateCatalog } from '@stagecraft/catalogs'
import { StagecraftError } from '@stagecraft/spec'

type Environment = Readonly<Record<string, string | undefined>>

/** The default host of PostgreSQL's tools, and so the host that the password is for. */
const OWN_HOST = 'localhost'

/**
 * Sees to it that a catalog in a configuration file, which may be somebody else's, does not get the password of this
 * user: `PGPASSWORD` is for the server in `PGHOST`.
 *
 * @throws {StagecraftError} INVALID_REQUEST for another server.
 */
export function assertOwnServer(catalog: string, environment: Environment): void {
  if (!environment['PGPASSWORD'] || !locateCatalog(catalog).borrowsPassword) return
  const url = URL.parse(catalog)
  const hosts = [url?.hostname ?? '', ...(url?.searchParams.getAll('host') ?? [])].filter(
    (host) => host !== '',
  )
  const own = environment['PGHOST'] || OWN_HOST
  const foreign = hosts.find((host) => plain(host) !== plain(own))
  if (foreign === undefined) return
  const expected = 'a server that PGHOST names too, because PGPASSWORD would be sent to it'
  const suggestion = `set PGHOST=${foreign} when the password is for it, or give the address by --catalog or as env:<variable>`
  throw StagecraftError.invalid({ path: 'catalog', expected, received: foreign }, { suggestion })
}

/** The same for all names of this machine; a folder is that of a socket. */
function plain(host: string): string {
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|\/.*)$/i.test(decodeURIComponent(host))
  return isLocal ? OWN_HOST : host.toLowerCase()
}

import { StagecraftError } from '@stagecraft/spec'
import { isAbsolute } from 'node:path'
import { type CatalogPlace, catalogPlace } from '@stagecraft/catalogs'
import type { ServiceSettings } from '../context.ts'

/**
 * Returns the place of a catalog if a connection may use it. Where files are not allowed, neither are the
 * passwords that pg finds in the environment and the home folder of the operator.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text of no known form, for what reads files where those are not
 * allowed, and for a relative path: the folder that a service was started in is nobody's business.
 */
export function allowedPlace(
  text: string,
  { allowLocalFiles }: Pick<ServiceSettings, 'allowLocalFiles'>,
): CatalogPlace {
  const place = catalogPlace(text)
  if (!allowLocalFiles) assertRemote(place)
  if (!place.localPaths.every((path) => isAbsolute(path)))
    throw StagecraftError.invalid([
      { path: 'catalog', expected: 'an absolute path', received: 'a relative one' },
    ])
  return place
}

function assertRemote({ borrowsPassword, isServer, kind, localPaths }: CatalogPlace): void {
  if (localPaths.length === 0 && !borrowsPassword) return
  const expected = 'a server, as postgres://user:password@…, that needs no files of this machine'
  const received = !isServer
    ? `${kind}:…`
    : localPaths.length > 0
      ? 'an address with the path of a file or socket'
      : 'an address without a password, for which one would be looked up on this machine'
  throw StagecraftError.invalid([{ path: 'catalog', expected, received }], {
    suggestion: 'this service reads no local files',
  })
}

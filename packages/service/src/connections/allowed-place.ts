import { isAbsolute } from 'node:path'
import { type CatalogPlace, catalogPlace } from '@stagecraft/catalogs'
import type { ServiceSettings } from '../context.ts'
import { invalid } from '../resources/errors.ts'

/**
 * Where a catalog leads, when a connection may lead there.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text of no known form, for what reads files where those are not
 * allowed, and for a relative path: the folder that a service was started in is nobody's business.
 */
export function allowedPlace(
  text: string,
  { allowLocalFiles }: Pick<ServiceSettings, 'allowLocalFiles'>,
): CatalogPlace {
  const place = catalogPlace(text)
  const [local] = place.localPaths
  if (local === undefined) return place
  if (!allowLocalFiles) {
    const expected = 'a server, as postgres://… or mysql://…, that needs no files of this machine'
    const received = place.isServer ? 'an address with the path of a file or socket' : `${place.kind}:…`
    throw invalid([{ path: 'catalog', expected, received }], {
      suggestion: 'this service reads no local files',
    })
  }
  if (!place.localPaths.every((path) => isAbsolute(path)))
    throw invalid([{ path: 'catalog', expected: 'an absolute path', received: 'a relative one' }])
  return place
}

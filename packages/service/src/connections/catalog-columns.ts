import type { ServiceContext } from '../context.ts'
import type { ConnectionRow } from '../store/schema.ts'
import { allowedPlace } from './allowed-place.ts'
import { sealedPlace } from './open-connection.ts'

/**
 * The columns of a connection that come from the text of its catalog. How the one before was tried is forgotten.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text that no connection may have.
 */
export function catalogColumns(
  text: string,
  id: string,
  { cipher, settings }: Pick<ServiceContext, 'cipher' | 'settings'>,
): Pick<ConnectionRow, 'id' | 'kind' | 'target' | 'catalog' | 'last_test'> {
  const { kind, target } = allowedPlace(text, settings)
  return { id, kind, target, catalog: cipher.seal(text, sealedPlace(id)), last_test: null }
}

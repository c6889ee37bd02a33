import type { Catalog } from '@stagecraft/spec'
import { openWarehouse } from '../warehouse/warehouse-catalog.ts'
import { askAws } from '../aws/ask-aws.ts'
import type { Environment } from '../aws/find-keys.ts'
import { glue } from './glue.ts'
import { readPlace } from './place.ts'
import { glueSession } from './session.ts'

export interface AthenaOptions {
  /** `athena://eu-west-1/awsdatacatalog/raw?profile=analytics`, or with keys: `athena://KEY:SECRET@eu-west-1/…` */
  readonly text: string
  /** Stops the opening, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** @default the global one */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Where keys and `AWS_ENDPOINT_URL_GLUE` are looked up. @default that of this process */
  readonly environment?: Environment
}

/**
 * Opens the catalog of Athena's tables, as stored in Glue. It runs no queries and cannot read rows.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when AWS refuses; INVALID_REQUEST for an invalid address or no
 * credentials.
 */
export async function athena({
  environment = process.env,
  fetch,
  signal,
  text,
}: AthenaOptions): Promise<Catalog> {
  const place = readPlace(text)
  const ask = askAws(place, { environment, fetch })
  const life = new AbortController()
  // nobody else can end its statements before it is open
  const onAbort = (): void => life.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  const opened = openWarehouse(
    {
      dialect: 'athena',
      hasRows: false,
      withSession: (work) => work(glueSession(place, glue(place, ask, life.signal))),
      close: async () => life.abort(new Error('the catalog was closed')),
    },
    signal,
  )
  return opened.finally(() => signal?.removeEventListener('abort', onAbort))
}

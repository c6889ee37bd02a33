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
  /** Cancels opening, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** The variables with keys and `AWS_ENDPOINT_URL_GLUE`. @default those of this process */
  readonly environment?: Environment
}

/**
 * Opens the catalog of Athena's tables, as stored in Glue. It runs no queries and cannot read rows.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if AWS refuses; INVALID_REQUEST for an invalid address or
 * missing credentials.
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
  // until the catalog is open, only this signal can stop its statements
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

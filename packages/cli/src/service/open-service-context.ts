import { createKey, systemClock, timeSortedIds } from '@stagecraft/http'
import { loadKeys, openContext, type ServiceContext, type ServiceLogger } from '@stagecraft/service'
import type { Backend, Editing } from '@stagecraft/spec'
import type { ServiceSettings } from './service-settings.ts'

export interface OpenServiceOptions {
  readonly logger: ServiceLogger
  readonly backend?: Backend | undefined
  readonly editing?: Editing | undefined
}

/** Opens the store that flags and environment name, with its secrets. */
export async function openServiceContext(
  settings: ServiceSettings,
  { backend, editing, logger }: OpenServiceOptions,
): Promise<ServiceContext> {
  const { allowLocalFiles, deliveryPolicy, folder, keyFile, secretKeys, store } = settings
  return await openContext({
    store,
    secretKeys: await loadKeys({ variable: secretKeys, file: keyFile }),
    folder,
    clock: systemClock,
    ids: timeSortedIds(systemClock),
    logger,
    newKey: () => createKey({ environment: 'live' }),
    allowLocalFiles,
    deliveryPolicy,
    ...(backend && { backend }),
    ...(editing && { editing }),
  })
}

import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { createKey } from '@stagecraft/http'
import { loadKeys, openContext, type ServiceContext, type ServiceLogger } from '@stagecraft/service'
import { type LlmOptions, StagecraftError, systemClock, timeSortedIds } from '@stagecraft/spec'
import { assertWritable, makeFolder } from '../files/make-folder.ts'
import type { ServiceSettings } from './service-settings.ts'

export interface OpenServiceOptions {
  /** Opens only an existing store. Default false. */
  readonly existing?: boolean
  readonly logger: ServiceLogger
  /** A language model for all projects. */
  readonly llm?: LlmOptions | undefined
}

/** Opens the store that flags and environment name, and its secrets. */
export async function openServiceContext(
  settings: ServiceSettings,
  { existing = false, llm, logger }: OpenServiceOptions,
): Promise<ServiceContext> {
  const { allowLocalFiles, connectionNetworks, deliveryPolicy, folder, keyFile, secretKeys, store } = settings
  if (existing) assertStore(settings)
  if ('file' in store || !secretKeys) prepareFolder(folder)
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
    ...(connectionNetworks && { connectionNetworks }),
    ...(llm && { llm }),
  })
}

/** Throws if the folder has no store, so that a mistyped path does not create one. */
function assertStore({ folder, keyFile, secretKeys, store }: ServiceSettings): void {
  const needed = 'file' in store ? store.file : secretKeys ? undefined : keyFile
  if (needed === undefined || existsSync(needed)) return
  const expected = 'the data folder of a store, created by stagecraft serve'
  const received = `${folder}, which has no ${basename(needed)}`
  throw new StagecraftError('INVALID_REQUEST', `--data: expected ${expected}, got ${received}`, {
    details: { faults: [{ path: 'data', expected, received }] },
  })
}

/** Readable only by its owner, like everything in it. */
function prepareFolder(folder: string): void {
  assertWritable(folder, '--data')
  makeFolder(folder, { mode: 0o700 })
}

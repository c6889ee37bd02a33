import { systemClock, timeSortedIds } from '@stagecraft/spec'
import { tmpdir } from 'node:os'
import { createKey } from '@stagecraft/http'
import type { Caller } from '@stagecraft/spec/api'
import { SCOPES } from '@stagecraft/spec/api'
import { CatalogCache } from '../../packages/service/src/catalogs/catalog-cache.ts'
import {
  type ServiceContext,
  type ServiceLogger,
  type ServiceSettings,
  createWakeups,
} from '../../packages/service/src/context.ts'
import { createProject } from '../../packages/service/src/projects/insert-project.ts'
import { createCipher } from '../../packages/service/src/secrets/cipher.ts'
import { ProjectThreads } from '../../packages/service/src/talk/project-threads.ts'
import type { Store } from '../../packages/service/src/store/store.ts'

export interface TestContextOptions {
  readonly logger?: ServiceLogger
  readonly settings?: Partial<ServiceSettings>
}

const SILENT: ServiceLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** A context over an open store. Processes of one test share the key that their secrets are sealed with. */
export function openTestContext(
  store: Store,
  { logger = SILENT, settings = {} }: TestContextOptions = {},
): ServiceContext {
  return {
    store,
    cipher: createCipher([new Uint8Array(32).fill(7)]),
    ids: timeSortedIds(systemClock),
    clock: systemClock,
    logger,
    newKey: () => createKey({ environment: 'test' }),
    wakeups: createWakeups(),
    catalogs: new CatalogCache({ logger }),
    projects: new ProjectThreads(),
    settings: {
      allowLocalFiles: true,
      connectionNetworks: ['machine'],
      deliveryPolicy: { allowCidrs: ['127.0.0.0/8'], allowHttp: true },
      llm: undefined,
      folder: tmpdir(),
      ...settings,
    },
  }
}

/** A project, and whoever has its first key. */
export async function addProject(context: ServiceContext, name = 'Shop'): Promise<Caller> {
  const { key, project } = await createProject({ name }, context)
  return { keyId: key.row.id, projectId: project.id, scopes: SCOPES }
}

/**
 * A call as the interface makes it, past its key and its schemas. Of every operation's type, so that a test can leave out
 * what its handler does not look at, and give what no schema would let through.
 */
export function callOf(caller: Caller, rest: object): never {
  const nothing = { params: {}, query: { limit: 50 }, body: {}, ifVersion: undefined }
  const { signal } = new AbortController()
  return { ...nothing, caller, requestId: 'req_test', signal, ...rest } as never
}

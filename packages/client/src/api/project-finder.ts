import { StagecraftError } from '@stagecraft/spec'
import type { ApiOperations, OperationData } from '@stagecraft/spec/api'
import type { Settings } from '../options.ts'
import { untilAborted } from '../transport/until-aborted.ts'
import { withDeadline } from '../transport/with-deadline.ts'
import { sendOperation } from './send-operation.ts'

/** Finds the project of the key. */
export type ProjectFinder = (operations: ApiOperations, signal: AbortSignal) => Promise<string>

/** Creates a finder that requests the project once for all calls, and again only after a failure. */
export function createProjectFinder(settings: Settings): ProjectFinder {
  let found: Promise<string> | undefined
  return (operations, signal) => {
    // Without the caller's signal, because other calls may wait for the same answer.
    found ??= lookUp(operations, settings).catch((error: unknown) => {
      found = undefined
      throw error
    })
    return untilAborted(found, signal)
  }
}

async function lookUp({ listProjects }: ApiOperations, settings: Settings): Promise<string> {
  const address = settings.api
  const { data } = await withDeadline(
    (term) =>
      sendOperation('listProjects', { query: { limit: 2 } }, { operation: listProjects, settings, term }),
    { address, settings, signal: undefined },
  ).catch((error: unknown) => {
    throw error instanceof StagecraftError && error.code === 'FORBIDDEN' ? withAdvice(error) : error
  })
  const { items } = data as OperationData<'listProjects'>
  const [project] = items
  if (project && items.length === 1) return project.id
  const received = project ? 'several' : 'none'
  throw new StagecraftError('NOT_FOUND', `expected the key of one project, got ${received}; set projectId`)
}

function withAdvice({ code, details, message }: StagecraftError): StagecraftError {
  const suggestion = 'set projectId, so that the client does not look up the project of the key'
  return new StagecraftError(code, `${message}; ${suggestion}`, { details: { ...details, suggestion } })
}

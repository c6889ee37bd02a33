import { StagecraftError } from '@stagecraft/spec'
import type { ApiOperations, Operation, OperationId } from '@stagecraft/spec/api'
import type { Settings } from '../options.ts'
import { untilAborted } from '../transport/until-aborted.ts'
import { type Term, withDeadline } from '../transport/with-deadline.ts'
import { fillPath } from './fill-path.ts'
import type { AnyAnswer } from './operation-answer.ts'
import type { AnyInput } from './operation-input.ts'
import type { ProjectFinder } from './project-finder.ts'
import { sendOperation } from './send-operation.ts'
import { readStream } from './stream.ts'

/** The service behind a client. */
export interface Service {
  readonly settings: Settings
  readonly findProject: ProjectFinder
}

/** Loads the table of operations. It is loaded late because `generate` does not need its schemas. */
export async function loadOperations(): Promise<ApiOperations> {
  const { API_OPERATIONS } = await import('@stagecraft/spec/api')
  return API_OPERATIONS
}

/** Returns true if the path of an operation is inside a project; the project's own path is not. */
export function isInProject({ path }: Operation): boolean {
  return path.startsWith('/v1/projects/{projectId}/')
}

/** Opens the stream of an operation. Each iteration of the result opens it again. */
export async function* streamOperation(id: OperationId, input: AnyInput, service: Service): AsyncGenerator {
  const { settings } = service
  const operation: Operation = (await loadOperations())[id]
  const { signal } = input
  const projectId = await withDeadline((term) => findProjectOf(operation, input, { ...service, term }), {
    address: settings.api,
    settings,
    signal,
  })
  const path = fillPath(operation.path, { projectId, ...input.params })
  yield* readStream({ operation, path, settings, signal })
}

interface Finding extends Service {
  readonly term: Term
}

async function findProjectOf(
  operation: Operation,
  { projectId }: AnyInput,
  { findProject, settings, term }: Finding,
): Promise<string | undefined> {
  if (!isInProject(operation)) return undefined
  return projectId ?? settings.projectId ?? (await findProject(await loadOperations(), term.signal))
}

/** Calls an operation with complete input. */
export async function callOperation(id: OperationId, input: AnyInput, service: Service): Promise<AnyAnswer> {
  const { settings } = service
  return withDeadline(
    async (term) => {
      const operations = await untilAborted(loadOperations(), term.signal)
      const operation: Operation = operations[id]
      if (operation.message) throw isStream(id)
      const projectId = await findProjectOf(operation, input, { ...service, term })
      return sendOperation(id, { ...input, projectId }, { operation, settings, term })
    },
    { address: settings.api, settings, signal: input.signal },
  )
}

function isStream(id: OperationId): StagecraftError {
  const expected = 'an operation that answers once; use changes.stream'
  return StagecraftError.invalid([{ path: 'id', expected, received: id }])
}

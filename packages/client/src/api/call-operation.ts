import type { ApiOperations, Operation, OperationId } from '@stagecraft/spec/api'
import type { Settings } from '../options.ts'
import { untilAborted } from '../transport/until-aborted.ts'
import { withDeadline } from '../transport/with-deadline.ts'
import type { AnyAnswer } from './operation-answer.ts'
import type { AnyInput } from './operation-input.ts'
import type { ProjectFinder } from './project-finder.ts'
import { sendOperation } from './send-operation.ts'

/** The service behind a client. */
export interface Service {
  readonly settings: Settings
  readonly findProject: ProjectFinder
}

/** The table of operations, whose schemas are more than `generate` needs. */
export async function loadOperations(): Promise<ApiOperations> {
  const { API_OPERATIONS } = await import('@stagecraft/spec/api')
  return API_OPERATIONS
}

/** Returns true if an operation's path lies inside a project; the path of the project itself does not. */
export function isInProject({ path }: Operation): boolean {
  return path.startsWith('/v1/projects/{projectId}/')
}

/** Calls an operation once all that it takes is known. */
export async function callOperation(
  id: OperationId,
  input: AnyInput,
  { findProject, settings }: Service,
): Promise<AnyAnswer> {
  return withDeadline(
    async (term) => {
      const operations = await untilAborted(loadOperations(), term.signal)
      const operation: Operation = operations[id]
      const projectId = isInProject(operation)
        ? (input.projectId ?? settings.projectId ?? (await findProject(operations, term.signal)))
        : undefined
      return sendOperation(id, { ...input, projectId }, { operation, settings, term })
    },
    { address: settings.api, settings, signal: input.signal },
  )
}

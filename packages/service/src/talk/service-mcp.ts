import { chooseTools, type ProposalPort } from '@stagecraft/assistant'
import {
  createMcpAnswerer,
  type McpAnswerer,
  type McpOptions,
  type McpSession,
} from '@stagecraft/assistant/mcp'
import type { Caller } from '@stagecraft/spec/api'
import pLimit from 'p-limit'
import { audited } from '../audit/audit-log.ts'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { type SeenProject, seeProject } from './see-project.ts'
import { keepProposal } from './proposals.ts'

/** The caller of a request: its key and scope were checked. */
export interface McpCall {
  readonly caller: Caller
  readonly requestId: string
}

/** Serves the assistant's tools over MCP. Each caller uses the project of its key. */
export interface ServiceMcp {
  readonly fetch: (request: Request, call: McpCall) => Promise<Response>
  readonly close: () => Promise<void>
}

/** The number of projects that are read at the same time. Each may take seconds and a hundred megabytes. */
const READ_AT_ONCE = 2

/** Creates the endpoint. The protocol's SDK is loaded with the first request. */
export function serviceMcp(
  context: ServiceContext,
  { deadlineMs, version }: Pick<McpOptions, 'deadlineMs' | 'version'>,
): ServiceMcp {
  const reading = pLimit(READ_AT_ONCE)
  let answerer: Promise<McpAnswerer> | undefined
  const open = (): Promise<McpAnswerer> =>
    (answerer ??= createMcpAnswerer({
      version,
      ...(deadlineMs !== undefined && { deadlineMs }),
      open: (asking) => {
        const { extra } = asking ?? {}
        const call = extra?.['call'] as McpCall & { readonly signal: AbortSignal }
        const { caller, signal } = call
        const read = (): Promise<SeenProject> => reading(() => seeProject(context, caller.projectId, signal))
        return sessionOf(context, call, read)
      },
      onFault: (error) => context.logger.error({ error: String(error) }, 'a tool of MCP failed'),
    }))
  return {
    fetch: async (request, call) =>
      (await open()).fetch(request, {
        id: call.caller.keyId,
        scopes: call.caller.scopes,
        extra: { call: { ...call, signal: request.signal } },
      }),
    close: async () => (await answerer)?.close(),
  }
}

/** One read of the repository for each request: an answer refers to one commit. */
function sessionOf(context: ServiceContext, call: McpCall, read: () => Promise<SeenProject>): McpSession {
  let seen: Promise<SeenProject> | undefined
  const readOnce = (): Promise<SeenProject> => (seen ??= read())
  const proposals = call.caller.scopes.includes('generate')
  return {
    readProject: async () => (await readOnce()).project,
    tools: chooseTools({ proposals }),
    ...(proposals && { ports: { proposals: proposalPort(context, call, readOnce) } }),
  }
}

function proposalPort(
  context: ServiceContext,
  { caller, requestId }: McpCall,
  read: () => Promise<SeenProject>,
): ProposalPort {
  return {
    async keep(draft) {
      const { files } = await read()
      const asked = { key_id: caller.keyId, conversation_id: null, message_id: null }
      const call = { operation: 'keepProposal', caller, requestId }
      const { data } = await audited(context, call, () =>
        change(context, caller.projectId, async (tx) => ({
          data: await keepProposal(tx, draft, { asked, createdBy: 'mcp', folder: files.folder }),
        })),
      )
      return data
    },
  }
}

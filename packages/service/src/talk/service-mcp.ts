import { chooseTools, type ProposalPort, TOOLS } from '@stagecraft/assistant'
import { createMcpAnswerer, type McpAnswerer, type McpSession } from '@stagecraft/assistant/mcp'
import { StagecraftError } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'
import pLimit from 'p-limit'
import { audited } from '../audit/audit-log.ts'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { ProjectViews, type SeenProject } from './project-views.ts'
import { keepProposal } from './proposals.ts'

/** Whom a request comes from: its key and scope were checked. */
export interface McpCall {
  readonly caller: Caller
  readonly requestId: string
}

/** The assistant's tools over MCP, each caller in the project of its key. */
export interface ServiceMcp {
  readonly fetch: (request: Request, call: McpCall) => Promise<Response>
  readonly close: () => Promise<void>
}

/** Projects that are read at once; each may take seconds, and a hundred megabytes. */
const READ_AT_ONCE = 2

/** Proposals of a project that nobody has decided on. */
const MOST_OPEN = 200

/** Tools that work on the repository alone. A model is planned by the service with its own units. */
const NAMES = TOOLS.map(({ name }) => name).filter((name) => name !== 'propose_model')

/** Creates the endpoint; the SDK of the protocol is loaded with the first request. */
export function serviceMcp(context: ServiceContext, { version }: { readonly version: string }): ServiceMcp {
  const reading = pLimit(READ_AT_ONCE)
  const views = new ProjectViews()
  let answerer: Promise<McpAnswerer> | undefined
  const open = (): Promise<McpAnswerer> =>
    (answerer ??= createMcpAnswerer({
      version,
      open: (asking) => {
        const { extra } = asking ?? {}
        const call = extra?.['call'] as McpCall & { readonly signal: AbortSignal }
        const { caller, signal } = call
        const read = (): Promise<SeenProject> => reading(() => views.read(context, caller.projectId, signal))
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

/** One look at the repository for each request: an answer is about one commit. */
function sessionOf(context: ServiceContext, call: McpCall, read: () => Promise<SeenProject>): McpSession {
  let seen: Promise<SeenProject> | undefined
  const readOnce = (): Promise<SeenProject> => (seen ??= read())
  const proposals = call.caller.scopes.includes('generate')
  return {
    readView: async () => (await readOnce()).view,
    tools: chooseTools({ names: NAMES, proposals }),
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
        change(context, caller.projectId, async (tx) => {
          await assertFew(tx)
          return { data: await keepProposal(tx, draft, { asked, createdBy: 'mcp', folder: files.folder }) }
        }),
      )
      return data
    },
  }
}

/** @throws {StagecraftError} INVALID_REQUEST where people have decided on too few. */
async function assertFew(tx: Change): Promise<void> {
  const { open } = await tx.db
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<number | string>().as('open'))
    .where('project_id', '=', tx.projectId)
    .where('push_id', 'is', null)
    .where('expires_at', '>', await tx.now())
    .executeTakeFirstOrThrow()
  if (Number(open) < MOST_OPEN) return
  throw StagecraftError.invalid(
    { path: 'proposals', expected: `fewer than ${MOST_OPEN} that nobody decided on`, received: String(open) },
    { suggestion: 'they expire after 7 days' },
  )
}

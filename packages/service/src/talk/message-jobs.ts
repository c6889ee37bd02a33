import {
  answerLine,
  openingLine,
  printLine,
  type ProposalPort,
  type SeenLine,
  talk,
  toExchange,
  type TalkEvent,
  chooseTools,
  transcribing,
  type TranscriptLine,
} from '@stagecraft/assistant'
import { addUsage, NO_USAGE, totalTokens } from '@stagecraft/core/run'
import { type Backend, StagecraftError, type Usage } from '@stagecraft/spec'
import { sql } from 'kysely'
import type { Change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { JobEnd, JobKind, Lease } from '../jobs/lease.ts'
import { fromJson, toJson } from '../store/rows.ts'
import type { MessageRow } from '../store/talk-rows.ts'
import { addTokens, tokensLeft } from './budget.ts'
import { appendEvent, appendEvents, isKeyOpen, type NewEvent } from './message-events.ts'
import { answerOf, optionsOf, storedAnswer, usageOf } from './message-rows.ts'
import { openModel } from './open-model.ts'
import { type SeenProject, seeProject } from './see-project.ts'
import { keepProposal } from './proposals.ts'
import { readSettings } from './stored-settings.ts'

/** High, because answers mostly wait for models. */
const CONCURRENCY = 4

/** Messages of a conversation are answered in order, each with the earlier ones as context. */
const IN_ORDER = sql<boolean>`not exists (
  select 1 from messages as earlier
  where earlier.state in ('queued', 'running')
    and earlier.conversation_id = messages.conversation_id
    and (earlier.created_at < messages.created_at
      or (earlier.created_at = messages.created_at and earlier.id < messages.id)))`

/** Defines the jobs that answer questions about dbt projects. */
export function messageJobs(context: ServiceContext): JobKind<'messages'> {
  return {
    table: 'messages',
    concurrency: CONCURRENCY,
    where: IN_ORDER,
    run: (row, lease) => answerMessage(row, lease, context),
    ended: (tx, row, end) => writeEnd(tx, row, end),
  }
}

async function writeEnd(tx: Change, { id }: MessageRow, { error, state }: JobEnd): Promise<void> {
  await appendEvent(
    tx.db,
    id,
    state === 'failed' ? { type: 'failed', data: error } : { type: 'cancelled', data: {} },
  )
}

async function answerMessage(
  row: MessageRow,
  lease: Lease<'messages'>,
  context: ServiceContext,
): Promise<void> {
  // Tokens may have been spent, so another attempt is the caller's decision.
  if (row.attempts > 1) throw interrupted()
  await assertKeyOpen(context, row)
  const log = new MessageLog(lease, row)
  try {
    const settings = await readSettings(context.store.db, row.project_id)
    const model = openModel(context, settings)
    // In one write with the start, so that a transcript never lacks the question of a started answer.
    log.line(openingLine(row.conversation_id, { at: new Date(row.created_at), backend: model?.id }))
    log.line({ type: 'question', text: row.content, at: new Date(row.created_at).toISOString() })
    await log.add({ type: 'message.started', data: { id: row.id, conversationId: row.conversation_id } })
    const { maxSeconds, maxTokens = 200_000, tools } = optionsOf(row)
    const left = await tokensLeft(context, row.project_id)
    const before = await earlier(context, row)
    let seen: SeenProject | undefined
    // One read of the repository for each message: an answer refers to one commit.
    const readSeen = async (): Promise<SeenProject> =>
      (seen ??= await seeProject(context, row.project_id, lease.signal))
    const told = await talk(row.content, {
      backend:
        model &&
        guarded(
          transcribing(model, (line) => log.line(line)),
          { context, row, log },
        ),
      readProject: async () => (await readSeen()).project,
      tools: chooseTools({ proposals: tools === 'propose' }),
      ports: tools === 'propose' ? { proposals: proposalPort(row, lease, readSeen) } : {},
      history: before.history,
      seen: before.seen,
      limits: {
        tokens: Math.min(maxTokens, left ?? maxTokens),
        ...(maxSeconds !== undefined && { seconds: maxSeconds }),
      },
      signal: lease.signal,
      onEvent: (event) => log.event(event),
      onFault: (error) => context.logger.error({ message: row.id, error: String(error) }, 'a tool failed'),
    })
    log.line(answerLine(told))
    await log.flush()
    await lease.finish(async (tx) => {
      await appendEvent(tx.db, row.id, { type: 'completed', data: {} })
      return { answer: toJson(storedAnswer(told.answer, seen?.files.commit)), seen: toJson([...told.seen]) }
    })
  } catch (error) {
    await log.flush()
    throw error
  }
}

function interrupted(): StagecraftError {
  const suggestion = 'ask it again: POST …/messages/{messageId}/retry'
  return new StagecraftError(
    'GENERATION_FAILED',
    `its worker process died before the answer; ${suggestion}`,
    { details: { reason: 'interrupted', retryable: true, suggestion } },
  )
}

/** @throws {StagecraftError} UNAUTHORIZED if the key of the message is no longer valid. */
async function assertKeyOpen(context: ServiceContext, { key_id }: MessageRow): Promise<void> {
  if (await isKeyOpen(context, { keyId: key_id })) return
  throw new StagecraftError('UNAUTHORIZED', 'the key that asked was revoked or has expired')
}

interface Guard {
  readonly context: ServiceContext
  readonly row: MessageRow
  readonly log: MessageLog
}

/** Stops if the key was revoked, and writes recorded events before the model is called. */
function guarded(backend: Backend, { context, log, row }: Guard): Backend {
  return {
    id: backend.id,
    complete: async (request) => {
      await assertKeyOpen(context, row)
      await log.flush()
      return backend.complete(request)
    },
  }
}

/** Returns the exchanges before a message and the lines that they contain. */
async function earlier(
  { store }: ServiceContext,
  { conversation_id, created_at, id }: MessageRow,
): Promise<{ readonly history: ReturnType<typeof toExchange>[]; readonly seen: readonly SeenLine[] }> {
  const rows = await store.db
    .selectFrom('messages')
    .select(['answer', 'seen'])
    .where('conversation_id', '=', conversation_id)
    .where('state', '=', 'completed')
    .where(sql<boolean>`(created_at, id) < (${created_at}, ${id})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(8)
    .execute()
  const answers = rows.flatMap((row) => answerOf(row) ?? []).toReversed()
  const [newest] = rows
  return {
    history: answers.map(toExchange),
    seen: newest?.seen ? (fromJson(newest.seen) as readonly SeenLine[]) : [],
  }
}

function proposalPort(
  row: MessageRow,
  lease: Lease<'messages'>,
  readSeen: () => Promise<SeenProject>,
): ProposalPort {
  return {
    keep: async (draft) => {
      const { files } = await readSeen()
      const asked = { key_id: row.key_id, conversation_id: row.conversation_id, message_id: row.id }
      return lease.change((tx) =>
        keepProposal(tx, draft, { asked, createdBy: 'assistant', folder: files.folder }),
      )
    },
  }
}

/** The interval for writing recorded events. */
const FLUSH_MS = 250

/** Records the events of a running answer in order, while the lease holds. */
class MessageLog {
  readonly #lease: Lease<'messages'>
  readonly #row: MessageRow
  #waiting: NewEvent[] = []
  #usage: Usage | undefined
  /** The tokens already counted for the day. */
  #counted = NO_USAGE
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(lease: Lease<'messages'>, row: MessageRow) {
    this.#lease = lease
    this.#row = row
  }

  async add(event: NewEvent): Promise<void> {
    this.#waiting.push(event)
    await this.flush()
  }

  event({ type, ...data }: TalkEvent): void {
    if (type === 'usage' && 'usage' in data) this.#usage = data.usage
    this.#push({ type, data })
  }

  line(line: TranscriptLine): void {
    this.#push({ type: 'transcript', data: { line: printLine(line) } })
  }

  #push(event: NewEvent): void {
    this.#waiting.push(event)
    // The next awaited flush reports a failure.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), FLUSH_MS)
  }

  /** @throws {LeaseLost} */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const written = this.#writing.catch(() => undefined).then(() => this.#write())
    this.#writing = written
    return written
  }

  async #write(): Promise<void> {
    const events = this.#waiting
    const usage = this.#usage
    if (events.length === 0) return
    this.#waiting = []
    const { id, project_id } = this.#row
    const before = usageOf(this.#row)
    await this.#lease.write(async (tx) => {
      await appendEvents(tx.db, id, events)
      if (!usage) return {}
      const tokens = totalTokens(usage) - totalTokens(this.#counted)
      await addTokens(tx.db, { projectId: project_id, tokens, now: await tx.now() })
      return { usage: toJson(addUsage(before, usage)) }
    })
    if (usage) this.#counted = usage
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { QUERY_SECONDS } from '../network/connection-failed.ts'
import type { Row, Statement } from '../warehouse/statement.ts'
import type { DatabricksPlace } from './place.ts'
import { notStarted, statementFailed, tooSlow, withoutId } from './refusal.ts'
import { toRequest } from './request.ts'
import { type Chunk, type Manifest, toRows } from './to-rows.ts'
import type { Ask } from './workspace.ts'

export interface RunOptions extends Pick<DatabricksPlace, 'address' | 'catalog' | 'warehouseId'> {
  readonly ask: Ask
  readonly signal: AbortSignal
  readonly limits?: RunLimits | undefined
}

export interface RunLimits {
  /** The time limit for starting the SQL warehouse and queueing the statement. @default 600 */
  readonly startSeconds?: number
  /** The time limit after that. @default 60 */
  readonly runSeconds?: number
}

interface StatementAnswer {
  readonly statement_id?: string
  readonly status?: { readonly state?: string; readonly error?: Record<string, string> }
  readonly manifest?: Manifest
  readonly result?: Chunk
}

const STATEMENTS = '/api/2.0/sql/statements'

/**
 * Runs a statement by the Statement Execution API and reads all of its rows. A signal or the time limit cancels the
 * statement in the SQL warehouse: it is submitted asynchronously, so its id is known at once.
 *
 * @throws {StagecraftError} CONNECTION_FAILED; or the signal's reason.
 */
export async function runStatement(statement: Statement, options: RunOptions): Promise<readonly Row[]> {
  const { address, ask, signal } = options
  signal.throwIfAborted()
  const sent = (await ask(STATEMENTS, {
    method: 'POST',
    body: toRequest(statement, options),
  })) as StatementAnswer
  if (!sent.statement_id) throw withoutId(address)
  const path = `${STATEMENTS}/${encodeURIComponent(sent.statement_id)}`
  try {
    const done = await untilDone(sent, path, options)
    const { error = {}, state = 'UNKNOWN' } = done.status ?? {}
    if (state !== 'SUCCEEDED') throw statementFailed(state, error, address)
    const read = async (link: string): Promise<Chunk> => (await ask(link, { signal })) as Chunk
    return await toRows(done.manifest, done.result, { address, read })
  } catch (error) {
    // cancelling an ended statement does nothing
    await ask(`${path}/cancel`, { method: 'POST', body: {} }).catch(() => undefined)
    signal.throwIfAborted()
    throw error
  }
}

/** Polls until the statement has ended, quickly at first, then every three seconds. */
async function untilDone(
  first: StatementAnswer,
  path: string,
  { address, ask, limits = {}, signal }: RunOptions,
): Promise<StatementAnswer> {
  const { runSeconds = QUERY_SECONDS, startSeconds = START_SECONDS } = limits
  const startBy = performance.now() + startSeconds * 1000
  let runBy: number | undefined
  let answer = first
  for (let wait = 50; ; wait = Math.min(wait * 1.5, 3000)) {
    const state = answer.status?.state
    if (state !== 'PENDING' && state !== 'RUNNING') return answer
    if (state === 'RUNNING') runBy ??= performance.now() + runSeconds * 1000
    if (performance.now() > (runBy ?? startBy))
      throw runBy === undefined ? notStarted(startSeconds, address) : tooSlow(runSeconds, address)
    await sleep(wait, undefined, { signal })
    answer = (await ask(path, { signal })) as StatementAnswer
  }
}

const START_SECONDS = 600

import { StagecraftError } from '@stagecraft/spec'
import { untilAborted } from '../catalogs/until-aborted.ts'
import type { ServiceContext } from '../context.ts'
import type { ConnectionRow } from '../store/schema.ts'
import { openConnection } from './connection-catalog.ts'
import { printLastTest } from './to-connection.ts'

export interface TryOptions {
  /** Stops it; then nothing is recorded. */
  readonly signal: AbortSignal
  /** The time limit for opening and counting together. @default 10000 */
  readonly deadlineMs?: number
}

export interface Trial {
  readonly dialect: string | undefined
  readonly tables: number
}

/**
 * Opens a connection anew, counts its tables, and records how that went.
 *
 * @throws {StagecraftError} CONNECTION_FAILED that says why.
 */
export async function tryConnection(
  context: ServiceContext,
  row: ConnectionRow,
  { deadlineMs = 10_000, signal }: TryOptions,
): Promise<Trial> {
  const deadline = AbortSignal.timeout(deadlineMs)
  try {
    const trial = await countTables(context, row, AbortSignal.any([signal, deadline]))
    await record(context, row)
    return trial
  } catch (error) {
    if (signal.aborted) throw error
    const failure = deadline.aborted && error === deadline.reason ? tooLate(row, deadlineMs) : error
    if (failure instanceof StagecraftError) await record(context, row, reasonOf(failure))
    throw failure
  }
}

async function countTables(context: ServiceContext, row: ConnectionRow, signal: AbortSignal): Promise<Trial> {
  const catalog = await openConnection(context, row, { signal })
  const reading = catalog.tables({})
  try {
    return { dialect: catalog.dialect, tables: (await untilAborted(reading, signal)).length }
  } finally {
    // after a deadline nobody waits for the query that is still under way
    const closed = reading.then(
      () => catalog.close(),
      () => catalog.close(),
    )
    if (signal.aborted) closed.catch((error: unknown) => warn(context, row, error))
    else await closed
  }
}

function warn({ logger }: ServiceContext, { id }: ConnectionRow, error: unknown): void {
  const reason = error instanceof Error ? error.name : 'unknown'
  logger.warn({ connectionId: id, reason }, 'could not close a catalog')
}

/** Only of the catalog that was tried, which may have been changed meanwhile. */
async function record({ store }: ServiceContext, row: ConnectionRow, reason?: string): Promise<void> {
  const at = await store.now()
  const test = reason === undefined ? { at, ok: true } : { at, ok: false, reason }
  await store.db
    .updateTable('connections')
    .set({ last_test: printLastTest(test) })
    .where('id', '=', row.id)
    .where('catalog', '=', row.catalog)
    .execute()
}

function reasonOf({ details, message }: StagecraftError): string {
  const reason = details?.['reason']
  return typeof reason === 'string' ? reason : message
}

function tooLate({ target }: ConnectionRow, deadlineMs: number): StagecraftError {
  const reason = `no answer within ${deadlineMs / 1000} s`
  const suggestion = 'check host, port and firewall, and the load of the server'
  return new StagecraftError('CONNECTION_FAILED', `cannot read ${target}: ${reason}; ${suggestion}`, {
    details: { reason, suggestion },
  })
}

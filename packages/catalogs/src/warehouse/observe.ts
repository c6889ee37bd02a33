import { channel } from 'node:diagnostics_channel'
import { StagecraftError } from '@stagecraft/spec'
import type { Session } from './warehouse.ts'

/** One statement, or one group of them, that a catalog has run. */
export interface StatementReport {
  readonly name: string
  readonly milliseconds: number
  /** The number of rows of its result; absent if it failed. */
  readonly rows?: number
  /** The reason, if it failed. */
  readonly failure?: string
}

const STATEMENTS = channel('stagecraft.catalog.statement')

/** Runs one statement, and reports it to listeners. */
export async function reported<Result>(
  name: string,
  work: () => Promise<Result>,
  countRows: (result: Result) => number,
): Promise<Result> {
  if (!STATEMENTS.hasSubscribers) return work()
  const start = performance.now()
  const publish = (more: Pick<StatementReport, 'rows' | 'failure'>): void =>
    STATEMENTS.publish({ name, milliseconds: performance.now() - start, ...more })
  try {
    const result = await work()
    publish({ rows: countRows(result) })
    return result
  } catch (error) {
    publish({ failure: reasonOf(error) })
    throw error
  }
}

function reasonOf(error: unknown): string {
  const reason = error instanceof StagecraftError ? error.details?.['reason'] : undefined
  if (typeof reason === 'string') return reason
  return error instanceof Error ? error.message : String(error)
}

/**
 * Returns true if there is a listener, which needs the reports of all statements, not only of the first
 * failure.
 */
export function hasListeners(): boolean {
  return STATEMENTS.hasSubscribers
}

/** Wraps a session that does not report its statements, so that each call that reads metadata is reported. */
export function reporting(session: Session): Session {
  return {
    ...session,
    place: () =>
      reported(
        'schemas',
        () => session.place(),
        ({ schemas }) => schemas.length,
      ),
    names: (schemas) =>
      reported(
        'names',
        () => session.names(schemas),
        (rows) => rows.length,
      ),
    read: (scope) =>
      reported(
        'tables',
        () => session.read(scope),
        ({ columns }) => columns.length,
      ),
    sizes: (scope, options) =>
      reported(
        'sizes',
        () => session.sizes(scope, options),
        (rows) => rows.length,
      ),
  }
}

/** Listens to every statement of every catalog of this process, until the returned function is called. */
export function onStatement(listener: (report: StatementReport) => void): () => void {
  const onMessage = (message: unknown): void => listener(message as StatementReport)
  STATEMENTS.subscribe(onMessage)
  return () => {
    STATEMENTS.unsubscribe(onMessage)
  }
}

import { type CatalogTable, type QueryOptions, StagecraftError, type TableSize } from '@stagecraft/spec'
import { type AnswerStore, type Query, Unanswered } from './ask-warehouse.ts'

/** A statement that only tests whether the warehouse answers. */
const ALIVE = 'select 1 as alive'

export interface AskingOptions {
  readonly query: Query
  /** Cancels the running statement; the signal's reason is thrown. @default never */
  readonly signal?: AbortSignal
  /** Returns the bytes that a statement would read, without running it: a dry run. @default unknown */
  readonly bytesRead?: (sql: string, options?: QueryOptions) => Promise<number>
  /** Stores answers about tables if the warehouse reports when they last changed. @default nothing is stored */
  readonly answers?: AnswerStore
}

/** Queries the warehouse until it is stopped, and distinguishes a refused statement from a lost connection. */
export class Asking {
  readonly #query: Query
  readonly #signal: AbortSignal | undefined
  readonly #answers: AnswerStore | undefined
  readonly #bytesRead: AskingOptions['bytesRead']
  readonly #versions = new Map<CatalogTable, string>()

  constructor({ answers, bytesRead, query, signal }: AskingOptions) {
    this.#answers = answers
    this.#bytesRead = bytesRead
    this.#query = query
    this.#signal = signal
  }

  /** Remembers the last change of a table. */
  note(table: CatalogTable, { version }: TableSize): void {
    if (version !== undefined) this.#versions.set(table, version)
  }

  /** Returns a query about the rows of tables. Its answers are stored until one of the tables changes. */
  about(tables: readonly CatalogTable[]): Query {
    const answers = this.#answersAbout(tables)
    if (!answers) return this.ask
    return async (sql) => {
      this.#signal?.throwIfAborted()
      const kept = await answers.read(sql)
      if (kept) return kept
      const rows = await this.ask(sql)
      await answers.write(sql, rows)
      return rows
    }
  }

  /** Returns the bytes that a statement about a table would read: 0 if its answer is stored. */
  async cost(table: CatalogTable, sql: string): Promise<number> {
    this.#signal?.throwIfAborted()
    if (await this.#answersAbout([table])?.read(sql)) return 0
    return (await this.#bytesRead?.(sql, { signal: this.#signal })) ?? 0
  }

  /** Returns true if answers about this table alone are stored until it changes. */
  keepsAnswers(table: CatalogTable): boolean {
    return this.#answersAbout([table]) !== undefined
  }

  /** Returns the stored answers about these tables; undefined if it is unknown when one of them changed. */
  #answersAbout(tables: readonly CatalogTable[]): AnswerStore | undefined {
    const answers = this.#answers
    const versions = tables.flatMap((table) => this.#versions.get(table) ?? [])
    if (!answers || versions.length < tables.length) return undefined
    const keyOf = (sql: string): string => JSON.stringify([sql, ...versions])
    return {
      read: (sql) => answers.read(keyOf(sql)),
      write: (sql, rows) => answers.write(keyOf(sql), rows),
    }
  }

  readonly ask: Query = async (sql) => {
    this.#signal?.throwIfAborted()
    return this.#query(sql, { signal: this.#signal })
  }

  /** Runs `work`, and calls `refused` if the warehouse refuses a part of it. */
  async askOr<Result>(
    work: () => Promise<Result>,
    refused: (reason: string) => void,
  ): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#signal?.throwIfAborted()
      if (!(error instanceof Unanswered))
        await this.ask(ALIVE).catch(() => {
          throw error
        })
      refused(reasonOf(error))
      return undefined
    }
  }
}

/**
 * Returns the reason alone, without values of rows: the warehouse answered, so advice about the connection would
 * mislead.
 */
export function reasonOf(error: unknown): string {
  const { reason } = error instanceof StagecraftError ? (error.details ?? {}) : {}
  if (typeof reason === 'string') return withoutValues(reason)
  return withoutValues(error instanceof Error ? error.message : String(error))
}

/** Words of messages about a value that could not be read as another type. */
const OF_VALUES =
  /\bcast|conver|incorrect|invalid (?:input|value|text|byte)|malformed|not a valid|not recognized|out of range|overflow|truncat/i
const QUOTED = /"(?:[^"]|"")*"|'(?:[^']|'')*'/g

/** Removes the values of rows that a message of the warehouse cites. */
function withoutValues(message: string): string {
  return OF_VALUES.test(message) ? message.replaceAll(QUOTED, '…') : message
}

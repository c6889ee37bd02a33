import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, SizesOptions, TableProfile, TableSize } from '@stagecraft/spec'
import { type AnswerStore, profileTable, type Query, Unanswered, verifyBy } from './ask-warehouse.ts'
import { infer } from './infer.ts'
import type { Check, Inference, InferenceTable, Verify, WrittenJoin } from './inference.ts'
import type { Reading, ReadingLimits } from './reading.ts'
import { observationsOf } from './observations.ts'
import { refuteFirst } from './refute-first.ts'
import { type Budget, sizeTable } from './size-table.ts'

export interface ObserveOptions extends Budget {
  /** The SQL of the warehouse. */
  readonly dialect: Dialect
  readonly query: Query
  /** Called after each table, and waited for. @default nothing */
  readonly onProgress?: (done: number, total: number) => void | Promise<void>
  /** Stops, and ends the statement that is under way; then its reason is thrown. @default never */
  readonly signal?: AbortSignal
  /** Asks the warehouse how large tables are. Without it every table that is read is read whole. @default nobody asks */
  readonly sizes?: (tables: readonly CatalogTable[], options: SizesOptions) => Promise<readonly TableSize[]>
  /** Called with what the warehouse knows of the tables' sizes, before a row is read. @default nothing */
  readonly onSizes?: ((sizes: readonly TableSize[]) => void) | undefined
  /** Keeps what was answered for tables whose last change the warehouse knows. @default nothing is kept */
  readonly answers?: AnswerStore
  /** The sizes from which on tables are read in part. */
  readonly limits?: ReadingLimits
  /** Tables whose rows are read at once. Answers do not depend on it. @default 1 */
  readonly concurrency?: number
  /** The day on which the rows are looked at, to be kept with what they show: `2026-01-31`. @default none */
  readonly on?: string
  /** Finds the joins between columns of the tables in SQL of the project. @default there are none */
  readonly joins?: ((tables: readonly CatalogTable[]) => Promise<readonly WrittenJoin[]>) | undefined
}

export interface Observed {
  /** The tables in their order, each with what its rows keep. Those that could not be read are as they were. */
  readonly tables: readonly CatalogTable[]
  readonly inference: Inference
  /** The profile of each table that could be read. */
  readonly profiles: readonly InferenceTable[]
  /** In the order of the tables. */
  readonly failures: readonly ObserveFailure[]
}

/** A table that was not read, by the code of its warning. */
export interface ObserveFailure {
  readonly table: CatalogTable
  readonly code: 'TABLE_NOT_PROFILED' | 'TABLE_TOO_LARGE'
  readonly reason: string
}

/** Asks nothing but whether the warehouse still answers. */
const ALIVE = 'select 1 as alive'

/**
 * Looks at the rows of tables and finds out what identifies them and where they lead: one aggregate query per table and
 * 60 columns, then one query per table with candidates. Of huge tables a sample is read. A table that cannot be read is a
 * failure of its own.
 *
 * @throws as the query does, when the warehouse no longer answers at all; the signal's reason.
 */
export async function observeTables(
  tables: readonly CatalogTable[],
  options: ObserveOptions,
): Promise<Observed> {
  const { dialect, on } = options
  const asking = new Asking(options)
  const outcomes = await readTables(tables, asking, options)
  const profiles = tables.map((table, at): InferenceTable => {
    const { profile } = outcomes[at] ?? {}
    return { table, ...(profile && { profile }) }
  })
  const readings = new Map(tables.map((table, at) => [table, outcomes[at]?.reading] as const))
  const failures = outcomes.flatMap(({ failure }) => failure ?? [])
  const tooLarge = new Set(
    failures.filter(({ code }) => code === 'TABLE_TOO_LARGE').map(({ table }) => table),
  )
  // What cannot be checked stays open: then names have to do.
  const ask = (sql: string, read: readonly CatalogTable[]) =>
    asking.askOr(
      () => asking.about(read)(sql),
      () => undefined,
    )
  const verify = refuteFirst(profiles, (readingOf) => verifyBy(ask, dialect, readingOf), readings)
  const inference = await infer(profiles, {
    dialect,
    verify: withoutTables(verify, tooLarge),
    joins: (await options.joins?.(tables)) ?? [],
  })
  const observations = observationsOf(profiles, inference, on)
  return {
    tables: tables.map((table) => {
      const observed = observations.get(table)
      return observed ? { ...table, observed } : table
    }),
    inference,
    profiles,
    failures,
  }
}

/** Asks the warehouse until it is told to stop, and tells a refusal from a warehouse that is gone. */
class Asking {
  readonly #query: Query
  readonly #signal: AbortSignal | undefined
  readonly #answers: AnswerStore | undefined
  readonly #versions = new Map<CatalogTable, string>()

  constructor({ answers, query, signal }: Pick<ObserveOptions, 'answers' | 'query' | 'signal'>) {
    this.#answers = answers
    this.#query = query
    this.#signal = signal
  }

  /** Remembers the last change of a table. */
  note(table: CatalogTable, { version }: TableSize): void {
    if (version !== undefined) this.#versions.set(table, version)
  }

  /** Asks about the rows of tables. An answer is kept until one of them changes. */
  about(tables: readonly CatalogTable[]): Query {
    const versions = tables.flatMap((table) => this.#versions.get(table) ?? [])
    const answers = versions.length === tables.length ? this.#answers : undefined
    if (!answers) return this.ask
    return async (sql) => {
      this.#signal?.throwIfAborted()
      const key = JSON.stringify([sql, ...versions])
      const kept = await answers.read(key)
      if (kept) return kept
      const rows = await this.ask(sql)
      await answers.write(key, rows)
      return rows
    }
  }

  readonly ask: Query = async (sql) => {
    this.#signal?.throwIfAborted()
    return this.#query(sql, { signal: this.#signal })
  }

  /** Does work, and calls `refused` where the warehouse refuses a part of it. */
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
      refused(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
}

/** The profile of a table, or the reason why there is none. */
interface Outcome {
  readonly profile?: TableProfile
  readonly reading?: Reading
  readonly failure?: ObserveFailure
}

type ReadOptions = Pick<ObserveOptions, 'dialect' | 'limits' | 'maxBytes' | 'maxRows'>

/** Reads tables, several at once; their outcomes are in the order of the tables. What is under way ends before it throws. */
async function readTables(
  tables: readonly CatalogTable[],
  asking: Asking,
  { concurrency = 1, onProgress, onSizes, ...options }: ObserveOptions,
): Promise<readonly Outcome[]> {
  const sizes = await sizesOf(tables, asking, options)
  if (sizes) onSizes?.(sizes)
  const outcomes: Outcome[] = []
  const queue = tables.entries()
  let done = 0
  let reported = Promise.resolve()
  let isStopped = false
  const work = async (): Promise<void> => {
    for (const [at, table] of queue) {
      if (isStopped) return
      outcomes[at] = await readTable(table, asking, { ...options, size: sizes?.[at] })
      // one after the other, so that nobody hears of fewer tables later
      reported = reported.then(() => onProgress?.(++done, tables.length))
      await reported
    }
  }
  const workers = Array.from({ length: concurrency }, async () => {
    try {
      await work()
    } catch (error) {
      isStopped = true
      throw error
    }
  })
  for (const worker of await Promise.allSettled(workers))
    if (worker.status === 'rejected') throw worker.reason
  return outcomes
}

/** Asks how large the tables are, once for all of them. Where the warehouse refuses, all have to be counted. */
async function sizesOf(
  tables: readonly CatalogTable[],
  asking: Asking,
  { maxBytes, sizes }: Pick<ObserveOptions, 'maxBytes' | 'sizes'>,
): Promise<readonly TableSize[] | undefined> {
  if (!sizes || tables.length === 0) return undefined
  const found = await asking.askOr(
    () => sizes(tables, { bytes: maxBytes !== undefined }),
    () => undefined,
  )
  for (const [at, size] of found?.entries() ?? []) {
    const table = tables[at]
    if (table) asking.note(table, size)
  }
  return found ?? tables.map(() => ({}))
}

async function readTable(
  table: CatalogTable,
  asking: Asking,
  { dialect, limits, maxBytes, maxRows, size }: ReadOptions & { readonly size: TableSize | undefined },
): Promise<Outcome> {
  let failure: ObserveFailure | undefined
  const read = await asking.askOr(
    async () => {
      const sized = await sizeTable(table, {
        dialect,
        query: asking.ask,
        size,
        ...(limits && { limits }),
        ...(maxBytes !== undefined && { maxBytes }),
        ...(maxRows !== undefined && { maxRows }),
      })
      if ('reading' in sized) {
        return readRows(table, { query: asking.about([table]), dialect, reading: sized.reading })
      }
      failure = { table, code: 'TABLE_TOO_LARGE', reason: sized.tooLarge }
      return undefined
    },
    (reason) => (failure = { table, code: 'TABLE_NOT_PROFILED', reason }),
  )
  return { ...read, ...(failure && { failure }) }
}

interface ReadRowsOptions {
  readonly query: Query
  readonly dialect: Dialect
  readonly reading: Reading
}

/** Reads the profile of a table. A sample by pages may be empty, and then rows are drawn. */
async function readRows(
  table: CatalogTable,
  { dialect, query, reading }: ReadRowsOptions,
): Promise<Required<Pick<Outcome, 'profile' | 'reading'>>> {
  const profile = await profileTable(table, query, dialect, reading)
  if (reading.share >= 1 || profile.rows > 0 || reading.isByRow) return { profile, reading }
  return readRows(table, { dialect, query, reading: { ...reading, isByRow: true } })
}

/** Leaves the checks that would read one of the tables open. */
function withoutTables(verify: Verify, tables: ReadonlySet<CatalogTable>): Verify {
  if (tables.size === 0) return verify
  const reads = (check: Check): boolean =>
    check.kind === 'unique'
      ? tables.has(check.key.table)
      : tables.has(check.child.table) || tables.has(check.parent.table)
  return async (checks) => {
    const answers = await verify(checks.filter((check) => !reads(check)))
    let next = 0
    return checks.map((check) => (reads(check) ? undefined : answers[next++]))
  }
}

import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, SizesOptions, TableProfile, TableSize, Warning } from '@stagecraft/spec'
import { verifyBy } from './ask-warehouse.ts'
import { Asking, type AskingOptions } from './asking.ts'
import { costTables } from './cost-tables.ts'
import type { ProfilesByTable } from './profile-entries.ts'
import { infer } from './infer.ts'
import type { Check, ColumnsOf, Inference, InferenceTable, Verify, WrittenJoin } from './inference.ts'
import { readRows } from './read-rows.ts'
import type { Reading, ReadingLimits } from './reading.ts'
import { observationsOf } from './observations.ts'
import { refuteFirst } from './refute-first.ts'
import { type Budget, sizeTable, type TableCost } from './size-table.ts'

export interface ObserveOptions extends Budget, AskingOptions {
  /** The SQL of the warehouse. */
  readonly dialect: Dialect
  /** Called after each table, and awaited. @default nothing */
  readonly onProgress?: (done: number, total: number) => void | Promise<void>
  /** Asks the warehouse for the sizes of tables. Without it, every table is read whole. @default undefined */
  readonly sizes?: (tables: readonly CatalogTable[], options: SizesOptions) => Promise<readonly TableSize[]>
  /** Called with the sizes and costs that the warehouse reports, before any row is read. @default nothing */
  readonly onSizes?: ((sizes: readonly TableCost[]) => void | Promise<void>) | undefined
  /** The sizes above which tables are read in part. */
  readonly limits?: ReadingLimits
  /** The number of tables to read at once. Results do not depend on it. @default 1 */
  readonly concurrency?: number
  /** Checks each table with its own statement, for callers that cannot repeat a refused one. @default false */
  readonly asksApart?: boolean
  /** The day to store with the facts of the rows: `2026-01-31`. @default none */
  readonly on?: string
  /** Profiles of tables, whose rows are then not read. @default all are read */
  readonly profiles?: ProfilesByTable
  /** Finds the joins between columns of the tables in the project's SQL. @default none */
  readonly joins?: ((tables: readonly CatalogTable[]) => Promise<readonly WrittenJoin[]>) | undefined
}

export interface Observed {
  /** The tables in their order, with the facts of their rows. A table that could not be read is unchanged. */
  readonly tables: readonly CatalogTable[]
  readonly inference: Inference
  /** The profile of each table that could be read. */
  readonly profiles: readonly InferenceTable[]
  /** The size and cost of each table before it was read; empty if the warehouse was not asked. */
  readonly sizes: readonly TableCost[]
  /** In the order of the tables. */
  readonly failures: readonly ObserveFailure[]
}

/** A table that was not read, or not as a whole, by the code of its warning. */
export interface ObserveFailure {
  readonly table: CatalogTable
  readonly code: 'TABLE_NOT_PROFILED' | 'TABLE_TOO_LARGE' | 'COLUMNS_NOT_PROFILED'
  readonly reason: string
  /** The columns that may not be read, for COLUMNS_NOT_PROFILED: the others were read. @default none */
  readonly columns?: readonly string[]
}

/** Returns the warning of a failure. */
export function describeFailure(
  { code, columns = [], reason, table }: ObserveFailure,
  name = table.name,
): Warning {
  const outcome = code === 'TABLE_TOO_LARGE' ? 'is not read' : 'could not be read'
  if (columns.length === 0) return { code, message: `${name} ${outcome}: ${reason}` }
  const named = columns.map((column) => `${name}.${column}`).join(', ')
  return { code, message: `${named} ${outcome}, but the other columns were: ${reason}` }
}

/**
 * Reads the rows of tables, and infers their keys and references. Runs one aggregate query per table and 60 columns,
 * then one per table with candidates, and one for all small tables together. Huge tables are sampled. A table that
 * cannot be read becomes a failure and does not affect the others.
 *
 * @throws The error of the query, if the warehouse no longer answers; the signal's reason, if it is stopped.
 */
export async function observeTables(
  tables: readonly CatalogTable[],
  options: ObserveOptions,
): Promise<Observed> {
  const { dialect, on } = options
  const asking = new Asking(options)
  const sizes = (await sizesOf(tables, asking, options)) ?? []
  if (sizes.length > 0) await options.onSizes?.(sizes)
  const outcomes = await readTables(tables, asking, { ...options, sizes })
  const profiles = tables.map((table, at): InferenceTable => {
    const { profile } = outcomes[at] ?? {}
    return { table, ...(profile && { profile }) }
  })
  const readings = new Map(tables.map((table, at) => [table, outcomes[at]?.reading] as const))
  const failures = outcomes.flatMap(({ failure }) => failure ?? [])
  const unread = new Map(
    failures.flatMap(({ code, columns, table }) =>
      code === 'TABLE_NOT_PROFILED' ? [] : [[table, columns && new Set(columns)] as const],
    ),
  )
  // A refused check stays open, so names decide.
  const ask = (sql: string, read: readonly CatalogTable[]) =>
    asking.askOr(
      () => asking.about(read)(sql),
      () => undefined,
    )
  const verify = refuteFirst(profiles, (readingOf) => verifyBy(ask, dialect, readingOf), {
    readings,
    isApart: (table) => options.asksApart === true || asking.keepsAnswers(table),
  })
  const inference = await infer(profiles, {
    dialect,
    verify: withoutUnread(verify, unread),
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
    sizes,
    failures,
  }
}

/** The profile of a table, or the reason why there is none. */
interface Outcome {
  readonly profile?: TableProfile
  readonly reading?: Reading
  readonly failure?: ObserveFailure
}

type SizesOfOptions = Pick<ObserveOptions, 'bytesRead' | 'dialect' | 'limits' | 'maxBytes' | 'sizes'>
type ReadTablesOptions = Omit<ObserveOptions, 'sizes'> & Pick<Observed, 'sizes'>
type ReadOptions = Pick<ObserveOptions, 'dialect' | 'limits' | 'maxBytes' | 'maxRows' | 'profiles'>

/**
 * Reads several tables at once, and returns their outcomes in the order of the tables. Waits for running reads before
 * it throws.
 */
async function readTables(
  tables: readonly CatalogTable[],
  asking: Asking,
  { concurrency = 1, onProgress, sizes, ...options }: ReadTablesOptions,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const queue = tables.entries()
  let done = 0
  let reported = Promise.resolve()
  let isStopped = false
  const work = async (): Promise<void> => {
    for (const [at, table] of queue) {
      if (isStopped) return
      outcomes[at] = await readTable(table, asking, { ...options, size: sizes[at] })
      // one after the other, so that the number never goes down
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

/**
 * Asks for the sizes of all tables at once, and for their costs if a dry run is possible. If the warehouse refuses,
 * every table is counted.
 */
async function sizesOf(
  tables: readonly CatalogTable[],
  asking: Asking,
  { bytesRead, dialect, limits, maxBytes, sizes }: SizesOfOptions,
): Promise<readonly TableCost[] | undefined> {
  if (!sizes || tables.length === 0) return undefined
  const found = await asking.askOr(
    () => sizes(tables, { bytes: maxBytes !== undefined }),
    () => undefined,
  )
  for (const [at, size] of found?.entries() ?? []) {
    const table = tables[at]
    if (table) asking.note(table, size)
  }
  const known = found ?? tables.map(() => ({}))
  if (!bytesRead) return known
  return costTables(tables, {
    dialect,
    limits,
    sizes: known,
    bytesRead: (table, sql) => asking.cost(table, sql),
  })
}

async function readTable(
  table: CatalogTable,
  asking: Asking,
  {
    dialect,
    limits,
    maxBytes,
    maxRows,
    profiles,
    size,
  }: ReadOptions & { readonly size: TableCost | undefined },
): Promise<Outcome> {
  const profile = profiles?.get(table)
  if (profile) return { profile }
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
        const query = asking.about([table])
        const { forbidden, ...rows } = await readRows(table, {
          query,
          ask: asking.ask,
          dialect,
          reading: sized.reading,
        })
        if (forbidden) failure = { table, code: 'COLUMNS_NOT_PROFILED', ...forbidden }
        return rows
      }
      failure = { table, code: 'TABLE_TOO_LARGE', reason: sized.tooLarge }
      return undefined
    },
    (reason) => (failure = { table, code: 'TABLE_NOT_PROFILED', reason }),
  )
  return { ...read, ...(failure && { failure }) }
}

/** Leaves open the checks that would read one of the tables, or one of the columns that are named for it. */
function withoutUnread(
  verify: Verify,
  unread: ReadonlyMap<CatalogTable, ReadonlySet<string> | undefined>,
): Verify {
  if (unread.size === 0) return verify
  const isUnread = ({ columns, table }: ColumnsOf): boolean =>
    unread.has(table) && columns.some((name) => unread.get(table)?.has(name) ?? true)
  const reads = (check: Check): boolean =>
    check.kind === 'unique' ? isUnread(check.key) : isUnread(check.child) || isUnread(check.parent)
  return async (checks, options) => {
    const answers = await verify(
      checks.filter((check) => !reads(check)),
      options,
    )
    let next = 0
    return checks.map((check) => (reads(check) ? undefined : answers[next++]))
  }
}

import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, Observation } from '@stagecraft/spec'
import { profileTable, type Query, verifyBy } from './ask-warehouse.ts'
import { infer } from './infer.ts'
import type { Inference, InferenceTable, ProposedReference } from './inference.ts'

export interface ObserveOptions {
  /** The SQL of the warehouse. */
  readonly dialect: Dialect
  readonly query: Query
  /** Called after each table. @default nothing */
  readonly onProgress?: (done: number, total: number) => void
  /** Stops between two statements; then its reason is thrown. @default never */
  readonly signal?: AbortSignal
}

export interface Observed {
  /** The tables in their order, each with what its rows keep. Those that could not be read are as they were. */
  readonly tables: readonly CatalogTable[]
  readonly inference: Inference
  /** The profile of each table that could be read. */
  readonly profiles: readonly InferenceTable[]
  readonly failures: readonly { readonly table: CatalogTable; readonly reason: string }[]
}

/** Asks nothing but whether the warehouse still answers. */
const ALIVE = 'select 1 as alive'

/**
 * Looks at the rows of tables and finds out what identifies them and where they lead: one aggregate query per table and
 * 60 columns, then one query per table with candidates. A table that cannot be read is a failure of its own.
 *
 * @throws as the query does, when the warehouse no longer answers at all; the signal's reason.
 */
export async function observeTables(
  tables: readonly CatalogTable[],
  { dialect, onProgress, query, signal }: ObserveOptions,
): Promise<Observed> {
  const failures: { table: CatalogTable; reason: string }[] = []
  const profiles: InferenceTable[] = []
  const ask: Query = async (sql) => {
    signal?.throwIfAborted()
    return query(sql)
  }
  const askOr = async <Result>(work: () => Promise<Result>, refused: (reason: string) => void) => {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      await ask(ALIVE).catch(() => {
        throw error
      })
      refused(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
  for (const [done, table] of tables.entries()) {
    const profile = await askOr(
      () => profileTable(table, ask, dialect),
      (reason) => failures.push({ table, reason }),
    )
    profiles.push({ table, ...(profile && { profile }) })
    onProgress?.(done + 1, tables.length)
  }
  // What cannot be checked stays open: then names have to do.
  const verify = verifyBy(
    (sql) =>
      askOr(
        () => ask(sql),
        () => undefined,
      ),
    dialect,
  )
  const inference = await infer(profiles, { dialect, verify })
  const observations = observationsOf(profiles, inference)
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

/** Keeps what holds for every row; what only names say, or what some rows break, is left to people. */
function observationsOf(
  profiles: readonly InferenceTable[],
  { keys, references }: Inference,
): ReadonlyMap<CatalogTable, Observation> {
  const keyOf = new Map(keys.map((key) => [key.table, key] as const))
  const held = Map.groupBy(references.filter(holds), ({ child }) => child.table)
  return new Map(
    profiles.flatMap(({ profile, table }) => {
      if (!profile) return []
      const key = keyOf.get(table)
      const observed: Observation = {
        rows: profile.rows,
        ...(key?.origin === 'data' && { key: { columns: key.columns, confidence: key.confidence } }),
        ...(held.has(table) && { references: held.get(table)?.map(toReference) ?? [] }),
      }
      return [[table, observed] as const]
    }),
  )
}

function holds({ origin, values }: ProposedReference): boolean {
  return origin === 'data' && values !== undefined && values.checked > 0 && values.orphans === 0
}

function toReference({
  child,
  confidence,
  parent,
  values,
}: ProposedReference): NonNullable<Observation['references']>[number] {
  const { database, name, schema } = parent.table
  return {
    columns: child.columns,
    references: {
      table: { ...(database !== undefined && { database }), ...(schema !== undefined && { schema }), name },
      columns: parent.columns,
    },
    values: values?.checked ?? 0,
    confidence,
  }
}

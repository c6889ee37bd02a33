import type { Catalog, CatalogTable, Observation } from '@stagecraft/spec'
import type { Transaction } from 'kysely'
import { setImmediate as letOthersGo } from 'node:timers/promises'
import type { ServiceContext } from '../context.ts'
import { chunksOf, fromJson } from '../store/rows.ts'
import type { Database } from '../store/schema.ts'
import type { SourceProfileRow } from '../store/source-rows.ts'

/** Evidence from the rows of a table, as stored. */
export type Evidence = Pick<SourceProfileRow, 'observed' | 'profile' | 'proposals' | 'profiled_at'>

interface Place {
  readonly project_id: string
  readonly connection_id: string
}

/** Stores the evidence of stored tables, by name. */
export async function writeEvidence(
  transaction: Transaction<Database>,
  evidence: ReadonlyMap<string, Evidence>,
  { connection_id, project_id }: Place,
): Promise<void> {
  for (const chunk of chunksOf([...evidence])) {
    await transaction
      .insertInto('source_profiles')
      .values(chunk.map(([name, found]) => ({ ...found, name, connection_id, project_id })))
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'name']).doUpdateSet((row) => ({
          observed: row.ref('excluded.observed'),
          profile: row.ref('excluded.profile'),
          proposals: row.ref('excluded.proposals'),
          profiled_at: row.ref('excluded.profiled_at'),
        })),
      )
      .execute()
    await letOthersGo()
  }
}

/** Deletes the evidence of tables whose columns have changed. */
export async function deleteEvidence(
  transaction: Transaction<Database>,
  names: readonly string[],
  connectionId: string,
): Promise<void> {
  for (const chunk of chunksOf(names)) {
    await transaction
      .deleteFrom('source_profiles')
      .where('connection_id', '=', connectionId)
      .where('name', 'in', chunk)
      .execute()
  }
}

/**
 * Wraps the catalog of a connection so that its tables include the evidence of the newest scan with a profile. A table
 * whose columns have changed since has none.
 */
export function withEvidence(context: ServiceContext, catalog: Catalog, connectionId: string): Catalog {
  const attach = async (tables: readonly CatalogTable[]): Promise<readonly CatalogTable[]> => {
    const found = await readEvidence(context, tables, connectionId)
    return tables.map((table) => {
      const known = found.get(placeKey(table))
      if (!known || table.observed || !hasSameColumns(known.table, table)) return table
      return { ...table, observed: known.observed }
    })
  }
  return {
    ...catalog,
    tables: async (selector) => attach(await catalog.tables(selector)),
    describe: async (source) => {
      const table = await catalog.describe(source)
      return (await attach([table]))[0] ?? table
    },
  }
}

interface KnownEvidence {
  /** The columns at the time the rows were read. */
  readonly table: CatalogTable
  readonly observed: Observation
}

async function readEvidence(
  { store }: Pick<ServiceContext, 'store'>,
  tables: readonly CatalogTable[],
  connectionId: string,
): Promise<ReadonlyMap<string, KnownEvidence>> {
  const found = new Map<string, KnownEvidence>()
  for (const chunk of chunksOf([...new Set(tables.map(({ name }) => name))])) {
    const rows = await store.db
      .selectFrom('source_profiles')
      .innerJoin('source_tables', (join) =>
        join
          .onRef('source_tables.connection_id', '=', 'source_profiles.connection_id')
          .onRef('source_tables.name', '=', 'source_profiles.name'),
      )
      .select(['source_profiles.observed', 'source_tables.definition'])
      .where('source_profiles.connection_id', '=', connectionId)
      .where('source_tables.table_name', 'in', chunk)
      .execute()
    for (const { definition, observed } of rows) {
      const table = fromJson(definition) as CatalogTable
      found.set(placeKey(table), { table, observed: fromJson(observed) as Observation })
    }
  }
  return found
}

function placeKey({ database, name, schema }: CatalogTable): string {
  return JSON.stringify([database ?? null, schema ?? null, name])
}

/** Returns true if both have the same columns of the same types, in any order. */
function hasSameColumns(before: CatalogTable, after: CatalogTable): boolean {
  const types = new Map(before.columns.map(({ name, type }) => [name, type]))
  return (
    before.columns.length === after.columns.length &&
    after.columns.every(({ name, type }) => types.get(name) === type)
  )
}

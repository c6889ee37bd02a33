import { setImmediate as letOthersGo } from 'node:timers/promises'
import type { CatalogTable, Column } from '@stagecraft/spec'
import type { ScanChanges } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import { fromJson } from '../store/json.ts'
import type { Database, ScanRow } from '../store/schema.ts'
import { chunksOf } from '../store/chunks-of.ts'
import type { ReadSource } from './read-sources.ts'

type Scan = Pick<ScanRow, 'id' | 'project_id' | 'connection_id'>

/**
 * Makes the stored tables of a connection those that were read, and returns what that changed. Definitions that stayed the
 * same are not written again.
 */
export async function storeSources(
  transaction: Transaction<Database>,
  sources: ReadonlyMap<string, ReadSource>,
  { now, scan }: { readonly scan: Scan; readonly now: number },
): Promise<ScanChanges> {
  const known = await knownSources(transaction, scan)
  const changed = [...sources.values()].filter(
    ({ columns }) => known.get(columns.name) !== columns.fingerprint,
  )
  const removed = [...known.keys()].filter((name) => !sources.has(name))
  const changes = await compareWithStored(transaction, changed, { known, scan })
  await removeSources(transaction, removed, scan)
  await writeSources(transaction, changed, { scan, now })
  await transaction
    .updateTable('source_tables')
    .set({ scan_id: scan.id, scanned_at: now })
    .where('connection_id', '=', scan.connection_id)
    .where('scan_id', '!=', scan.id)
    .execute()
  return { ...changes, tablesRemoved: removed.toSorted() }
}

/** The fingerprints of what is stored, by name. */
async function knownSources(
  transaction: Transaction<Database>,
  scan: Scan,
): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction
    .selectFrom('source_tables')
    .select(['name', 'fingerprint'])
    .where('connection_id', '=', scan.connection_id)
    .execute()
  return new Map(rows.map(({ fingerprint, name }) => [name, fingerprint]))
}

async function compareWithStored(
  transaction: Transaction<Database>,
  changed: readonly ReadSource[],
  { known, scan }: { readonly known: ReadonlyMap<string, string>; readonly scan: Scan },
): Promise<Omit<ScanChanges, 'tablesRemoved'>> {
  const current = new Map(changed.map(({ columns, table }) => [columns.name, table]))
  const changes: Omit<ScanChanges, 'tablesRemoved'> = {
    tablesAdded: [...current.keys()].filter((name) => !known.has(name)).toSorted(),
    columnsAdded: [],
    columnsRemoved: [],
    columnsRetyped: [],
  }
  const names = [...current.keys()].filter((name) => known.has(name)).toSorted()
  for (const chunk of chunksOf(names)) {
    const before = await definitionsOf(transaction, chunk, scan)
    for (const name of chunk) {
      const [old, table] = [before.get(name), current.get(name)]
      if (!old || !table) continue
      const { columnsAdded, columnsRemoved, columnsRetyped } = compareColumns(name, {
        before: old,
        after: table,
      })
      changes.columnsAdded.push(...columnsAdded)
      changes.columnsRemoved.push(...columnsRemoved)
      changes.columnsRetyped.push(...columnsRetyped)
    }
    await letOthersGo()
  }
  return changes
}

async function definitionsOf(
  transaction: Transaction<Database>,
  names: readonly string[],
  scan: Scan,
): Promise<ReadonlyMap<string, CatalogTable>> {
  const rows = await transaction
    .selectFrom('source_tables')
    .select(['name', 'definition'])
    .where('connection_id', '=', scan.connection_id)
    .where('name', 'in', names)
    .execute()
  return new Map(rows.map(({ definition, name }) => [name, fromJson(definition) as CatalogTable]))
}

async function removeSources(
  transaction: Transaction<Database>,
  names: readonly string[],
  scan: Scan,
): Promise<void> {
  for (const chunk of chunksOf(names)) {
    await transaction
      .deleteFrom('source_tables')
      .where('connection_id', '=', scan.connection_id)
      .where('name', 'in', chunk)
      .execute()
  }
}

async function writeSources(
  transaction: Transaction<Database>,
  changed: readonly ReadSource[],
  { now, scan }: { readonly scan: Scan; readonly now: number },
): Promise<void> {
  const place = { project_id: scan.project_id, connection_id: scan.connection_id }
  for (const chunk of chunksOf(changed)) {
    await transaction
      .insertInto('source_tables')
      .values(chunk.map(({ columns }) => ({ ...columns, ...place, scan_id: scan.id, scanned_at: now })))
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'name']).doUpdateSet((row) => ({
          database_name: row.ref('excluded.database_name'),
          schema_name: row.ref('excluded.schema_name'),
          table_name: row.ref('excluded.table_name'),
          kind: row.ref('excluded.kind'),
          comment: row.ref('excluded.comment'),
          columns: row.ref('excluded.columns'),
          definition: row.ref('excluded.definition'),
          fingerprint: row.ref('excluded.fingerprint'),
          scan_id: row.ref('excluded.scan_id'),
          scanned_at: row.ref('excluded.scanned_at'),
        })),
      )
      .execute()
    await letOthersGo()
  }
}

type ColumnChanges = Pick<ScanChanges, 'columnsAdded' | 'columnsRemoved' | 'columnsRetyped'>

/** Compares the columns of one table before and after. */
function compareColumns(
  table: string,
  { after, before }: { readonly before: CatalogTable; readonly after: CatalogTable },
): ColumnChanges {
  const old = byName(before.columns)
  const current = byName(after.columns)
  const change = ({ name, type }: Column) => ({ table, column: name, type })
  return {
    columnsAdded: after.columns.filter(({ name }) => !old.has(name)).map(change),
    columnsRemoved: before.columns.filter(({ name }) => !current.has(name)).map(change),
    columnsRetyped: after.columns.flatMap(({ name, type: to }) => {
      const from = old.get(name)
      return from === undefined || from === to ? [] : [{ table, column: name, from, to }]
    }),
  }
}

function byName(columns: readonly Column[]): ReadonlyMap<string, string> {
  return new Map(columns.map(({ name, type }) => [name, type]))
}

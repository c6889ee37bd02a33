import { parseItem } from '@stagecraft/core/run'
import type { DialectName } from '@stagecraft/spec'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { GeneratedUnit } from '../generations/newest-files.ts'
import type { Database } from '../store/schema.ts'

export interface SnapshotOptions {
  readonly pushId: string
  readonly projectId: string
  /** The selected units. Default: all. */
  readonly unitIds: readonly string[] | undefined
}

/** Stores the current inputs of the units, so that the push sends them, however late it runs. */
export async function takeSnapshot(
  transaction: Transaction<Database>,
  { projectId, pushId, unitIds }: SnapshotOptions,
): Promise<void> {
  const generated = transaction
    .selectFrom('units')
    .innerJoin('generations', 'generations.id', 'units.last_generation_id')
    .where('units.project_id', '=', projectId)
    .where('generations.item', 'is not', null)
    .where('generations.dialect', 'is not', null)
  const asked =
    unitIds === undefined
      ? sql<number>`1`
      : sql<number>`case when units.id in (${sql.join(unitIds)}) then 1 else 0 end`
  const id = sql<string>`cast(${pushId} as text)`
  await transaction
    .insertInto('push_items')
    .columns(['push_id', 'unit_id', 'generation_id', 'asked', 'item', 'dialect', 'generated_at'])
    .expression(
      generated.select([
        id.as('push_id'),
        'units.id',
        'generations.id',
        asked.as('asked'),
        'generations.item',
        'generations.dialect',
        sql<number>`coalesce(generations.finished_at, generations.created_at)`.as('generated_at'),
      ] as never),
    )
    .execute()
  await transaction
    .insertInto('push_paths')
    .columns(['push_id', 'unit_id', 'path'])
    .expression(
      generated
        .innerJoin('generated_files', 'generated_files.generation_id', 'generations.id')
        .select([id.as('push_id'), 'units.id', 'generated_files.path'] as never),
    )
    .execute()
}

interface SnapshotUnit extends GeneratedUnit {
  readonly unitId: string
  readonly isAsked: boolean
}

export interface Snapshot {
  /** In the order in which they were generated. */
  readonly units: readonly SnapshotUnit[]
  /** The files by unit. */
  readonly paths: readonly { readonly unitId: string; readonly path: string }[]
}

export async function readSnapshot(db: Kysely<Database>, pushId: string): Promise<Snapshot> {
  const rows = await db
    .selectFrom('push_items')
    .selectAll()
    .where('push_id', '=', pushId)
    .orderBy('generated_at')
    .orderBy('generation_id')
    .execute()
  const paths = await db
    .selectFrom('push_paths')
    .select(['unit_id', 'path'])
    .where('push_id', '=', pushId)
    .execute()
  return {
    units: rows.map(({ asked, dialect, item, unit_id }) => ({
      unitId: unit_id,
      isAsked: asked === 1,
      item: parseItem(item),
      dialect: dialect as DialectName,
    })),
    paths: paths.map(({ path, unit_id }) => ({ unitId: unit_id, path })),
  }
}

/** Deletes the stored inputs of a push that has ended. */
export async function dropSnapshot(transaction: Transaction<Database>, pushId: string): Promise<void> {
  for (const table of ['push_items', 'push_paths'] as const)
    await transaction.deleteFrom(table).where('push_id', '=', pushId).execute()
}

import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type { ServiceContext } from '../context.ts'
import { publish } from '../events/publish.ts'
import { notFound, versionConflict } from '../resources/errors.ts'
import type { Database, UnitRow } from '../store/schema.ts'
import { findUnit } from './find-unit.ts'
import { optionsOf, toUnit, unitData } from './to-unit.ts'

type Patch = Parameters<ApiHandlers['updateUnit']>[0]['body']
type Changes = Partial<Pick<UnitRow, 'name' | 'options' | 'connection_id'>>

export function updateUnit({ ids, store, wake }: ServiceContext): ApiHandlers['updateUnit'] {
  return async ({ body, caller: { projectId }, ifVersion, params: { unitId } }) => {
    const unit = await store.transaction(async (transaction) => {
      const before = await findUnit(transaction, { projectId, unitId })
      assertVersion(before.version, ifVersion)
      const changes = changesOf(body, before)
      if (Object.keys(changes).length === 0) return before
      if (changes.connection_id) await assertConnection(transaction, projectId, changes.connection_id)
      const now = await store.now(transaction)
      const after = await write(transaction, before, { ...changes, updated_at: now })
      await publish(transaction, { projectId, event: 'unit.updated', data: unitData(after) }, { ids, now })
      return after
    })
    wake.notify('deliveries')
    return { data: toUnit(unit) }
  }
}

function assertVersion(current: number, asked: number | undefined): void {
  if (asked !== undefined && asked !== current) throw versionConflict('unit', { current, asked })
}

function changesOf({ connectionId, name, options }: Patch, row: UnitRow): Changes {
  const hasOptions = options !== undefined && !isDeepStrictEqual(options, optionsOf(row))
  return {
    ...(name !== undefined && name !== row.name && { name }),
    ...(hasOptions && { options: JSON.stringify(options) }),
    ...(connectionId !== undefined && connectionId !== row.connection_id && { connection_id: connectionId }),
  }
}

/** The version in the condition: of two that change a unit at once the later one is told so. */
async function write(
  transaction: Transaction<Database>,
  { id, version }: UnitRow,
  changes: Changes & Pick<UnitRow, 'updated_at'>,
): Promise<UnitRow> {
  const after = await transaction
    .updateTable('units')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()
  if (!after) throw versionConflict('unit', { current: version + 1, asked: version })
  return after
}

async function assertConnection(
  transaction: Transaction<Database>,
  projectId: string,
  connectionId: string,
): Promise<void> {
  const row = await transaction
    .selectFrom('connections')
    .select('id')
    .where('id', '=', connectionId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw notFound('connection', connectionId)
}

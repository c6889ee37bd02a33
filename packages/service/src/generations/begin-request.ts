import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { nameModel } from '@stagecraft/core/run'
import type { GenerationRequest } from '@stagecraft/spec'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'
import type { GenerationRow, UnitRow } from '../store/schema.ts'
import { insertUnit } from '../units/insert-unit.ts'
import { unitData } from '../units/to-unit.ts'
import { publishStarted } from './generation-events.ts'
import { REQUEST_LEASE_MS } from './hold-request.ts'
import { newGeneration } from './new-generation.ts'

export interface RequestBegin {
  readonly projectId: string
  readonly request: GenerationRequest
  readonly columns: GenerationRow['columns']
  /** With the dialect that was decided. */
  readonly settings: ProjectSettings
}

/** The generation of a request that has begun. */
export interface BegunRequest {
  readonly generationId: string
  readonly leaseOwner: string
  readonly unit: UnitRow
  /**
   * True if it counts as the newest of its unit. Options that differ from the unit's make it a trial, which
   * archives and pushes do not use.
   */
  readonly isOfUnit: boolean
}

/** Finds or makes the unit of a request, and begins its generation. */
export async function beginRequest(
  { columns, projectId, request: { options = {}, source, type }, settings }: RequestBegin,
  context: ServiceContext,
): Promise<BegunRequest> {
  const name = nameModel({ source, type }, settings)
  return await change(context, projectId, async (tx) => {
    const now = await tx.now()
    const wanted = { name, type, source, options, connectionId: undefined }
    const { isNew, row: unit } = await insertUnit(tx, wanted)
    if (isNew) await tx.publish('unit.created', unitData(unit))
    const generationId = tx.ids.next('gen')
    const leaseOwner = `request:${randomUUID()}`
    const row = newGeneration(
      {
        id: generationId,
        project_id: projectId,
        kind: 'unit',
        unit_id: unit.id,
        columns,
        is_request: 1,
        announced: 1,
        state: 'running',
        attempts: 1,
        lease_owner: leaseOwner,
        lease_until: now + REQUEST_LEASE_MS,
        started_at: now,
      },
      now,
    )
    await tx.db.insertInto('generations').values(row).execute()
    await publishStarted(tx, { generationId, unit })
    const isOfUnit = isNew || isDeepStrictEqual(JSON.parse(unit.options), options)
    return { generationId, leaseOwner, unit, isOfUnit }
  })
}

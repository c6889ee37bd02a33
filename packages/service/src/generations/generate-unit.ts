import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { HeldJob } from '../jobs/job-kind.ts'
import { LeaseLost } from '../jobs/stop-reasons.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { ownedRow } from '../store/owned-rows.ts'
import type { GenerationRow } from '../store/schema.ts'
import { optionsOf } from '../units/to-unit.ts'
import { announceGenerations } from './announce-generations.ts'
import { assertHeld } from './assert-held.ts'
import { makeGeneration, readTable } from './make-generation.ts'
import { recordGeneration } from './record-generation.ts'

/** Does the generation of one unit. */
export async function generateUnit(
  row: GenerationRow,
  { signal, ...held }: HeldJob<'generations'>,
  context: ServiceContext,
): Promise<void> {
  const { clock, store } = context
  const { columns, id, project_id: projectId, unit_id: unitId } = row
  if (unitId === null) throw new LeaseLost()
  const begunAt = clock.now()
  const unit = await ownedRow(store, 'units', { projectId, id: unitId })
  const subject = { generationId: id, unit }
  await change(context, projectId, async (tx) => {
    await assertHeld(tx, row)
    await announceGenerations(tx, [subject])
  })
  const settings = await projectSettings(store.db, projectId)
  const request = { type: unit.type, source: unit.source, options: optionsOf(unit) }
  const place = { projectId, columns, connectionId: unit.connection_id }
  const found = await readTable(request, context, { ...place, settings, signal })
  const made = await makeGeneration(found, signal)
  const durationMs = clock.now() - begunAt
  await held.finish((tx) => recordGeneration(tx, subject, { ...made, durationMs }))
}

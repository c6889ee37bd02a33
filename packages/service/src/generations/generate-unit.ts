import type { ServiceContext } from '../context.ts'
import type { HeldJob } from '../jobs/job-kind.ts'
import { LeaseLost } from '../jobs/stop-reasons.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { assertHeld } from './assert-held.ts'
import type { GenerationRow } from '../store/schema.ts'
import { findUnit } from '../units/find-unit.ts'
import { optionsOf } from '../units/to-unit.ts'
import { announceGenerations } from './announce-generations.ts'
import { makeGeneration, readItem, runSetup } from './make-generation.ts'
import { recordGeneration } from './record-generation.ts'

/** Does the generation of one unit. */
export async function generateUnit(
  row: GenerationRow,
  { signal, ...held }: HeldJob<'generations'>,
  context: ServiceContext,
): Promise<void> {
  const { clock, ids, store, wake } = context
  const { columns, id, project_id: projectId, unit_id: unitId } = row
  if (unitId === null) throw new LeaseLost()
  const begunAt = clock.now()
  const unit = await findUnit(store.db, { projectId, unitId })
  const subject = { generationId: id, unit }
  await store.transaction(async (transaction) => {
    await assertHeld(transaction, row)
    await announceGenerations(transaction, [subject], { ids, now: await store.now(transaction) })
  })
  wake.notify('deliveries')
  const settings = await projectSettings(store.db, projectId)
  const request = { type: unit.type, source: unit.source, options: optionsOf(unit) }
  const place = { projectId, columns, connectionId: unit.connection_id }
  const found = await readItem(request, context, { ...place, settings, signal })
  const made = await makeGeneration(found, runSetup(context, settings, found.dialect), signal)
  const durationMs = clock.now() - begunAt
  await held.finish((transaction, now) =>
    recordGeneration(transaction, subject, { made: { ...made, durationMs }, ids, now }),
  )
}

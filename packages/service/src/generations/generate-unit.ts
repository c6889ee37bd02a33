import { chooseDialect, createRun, readRequest, type RunSetup, type RunTable } from '@stagecraft/core/run'
import {
  type Catalog,
  type DialectName,
  type GenerationRequest,
  type Meta,
  StagecraftError,
} from '@stagecraft/spec'
import { withCatalog } from '../catalogs/with-catalog.ts'
import { findConnection } from '../connections/stored-connection.ts'
import type { ServiceContext } from '../context.ts'
import { type Lease, LeaseLost } from '../jobs/lease.ts'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import { withEvidence } from '../sources/evidence.ts'
import { scannedCatalog } from '../sources/scanned-catalog.ts'
import { ownedRow } from '../store/rows.ts'
import type { GenerationRow } from '../store/schema.ts'
import { optionsOf } from '../units/units.ts'
import { GenerationAttempt, type MadeGeneration } from './generation-attempt.ts'

/** Does the generation of one unit. */
export async function generateUnit(
  row: GenerationRow,
  lease: Lease<'generations'>,
  context: ServiceContext,
): Promise<void> {
  const { clock, store } = context
  const { columns, id, project_id: projectId, unit_id: unitId } = row
  if (unitId === null) throw new LeaseLost()
  const begunAt = clock.now()
  const unit = await ownedRow(store, 'units', { projectId, id: unitId })
  const subject = { generationId: id, unit }
  const attempt = new GenerationAttempt(lease)
  await attempt.start([subject])
  const settings = await projectSettings(store.db, projectId)
  const request = { type: unit.type, source: unit.source, options: optionsOf(unit) }
  const place = { projectId, columns, connectionId: unit.connection_id, signal: lease.signal }
  const found = await readTable(request, context, { ...place, settings })
  const made = await makeGeneration(found, lease.signal)
  await attempt.complete([{ subject, made: { ...made, durationMs: clock.now() - begunAt } }])
}

export interface ColumnsPlace {
  readonly projectId: string
  /** Default: the connection of the project. */
  readonly connectionId: string | null
  readonly columns: GenerationRow['columns']
  readonly signal: AbortSignal
}

/** Reads from the warehouse as it is now, or as its newest scan found it; either with what scans found in its rows. */
export async function withColumns<Result>(
  context: ServiceContext,
  { columns, connectionId, projectId, signal }: ColumnsPlace,
  work: (catalog: Catalog) => Promise<Result>,
): Promise<Result> {
  const place = { projectId, ...(connectionId !== null && { connectionId }) }
  const { id } = await findConnection(context, place)
  const workIn = (catalog: Catalog): Promise<Result> => work(withEvidence(context, catalog, id))
  if (columns === 'live') return await withCatalog(context, { ...place, signal }, workIn)
  return await workIn(await scannedCatalog(context, place))
}

export interface ReadSetup extends ColumnsPlace {
  readonly settings: ProjectSettings
}

/** A table in a run of its own, and the SQL dialect to write. */
export interface ReadTable {
  readonly table: RunTable
  readonly dialect: DialectName
}

/** @throws {StagecraftError} INVALID_REQUEST, INVALID_SOURCE or CONNECTION_FAILED. */
export function readTable(
  request: GenerationRequest,
  context: ServiceContext,
  { settings, ...place }: ReadSetup,
): Promise<ReadTable> {
  return withColumns(context, place, async (catalog) => {
    const dialect = chooseDialect(settings, catalog)
    const item = await readRequest(request, { ...settings, dialect, catalog, signal: place.signal })
    const [table] = createRun([item], runSetup(context, settings, dialect)).tables
    if (!table) throw new StagecraftError('GENERATION_FAILED', 'nothing was generated')
    return { dialect, table }
  })
}

/** Returns the settings that tables of a project are generated with. */
export function runSetup(
  { clock, settings: { llm } }: ServiceContext,
  { config }: ProjectSettings,
  dialect: DialectName,
): RunSetup {
  return {
    clock,
    dialect,
    ...(config && { config }),
    ...(llm && { llm }),
  }
}

/** A generation with its part of the answer's `meta`. */
export interface MadeAnswer extends Omit<MadeGeneration, 'durationMs'> {
  readonly meta: Omit<Meta, 'requestId' | 'timestamp'>
}

/** @throws {StagecraftError} GENERATION_FAILED. */
export async function makeGeneration(
  { dialect, table }: ReadTable,
  signal: AbortSignal,
): Promise<MadeAnswer> {
  const { item, meta } = await table.edit({ signal })
  return { data: table.generate(), item, dialect, tokensUsed: meta.tokensUsed, meta }
}

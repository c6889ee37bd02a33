import { chooseDialect, createRun, readRequest, type RunSetup, type RunTable } from '@stagecraft/core/run'
import { type DialectName, type GenerationRequest, type Meta, StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'
import type { MadeGeneration } from './record-generation.ts'
import { type ColumnsPlace, withColumns } from './with-columns.ts'

export interface ReadSetup extends ColumnsPlace {
  readonly settings: ProjectSettings
}

/** A table that was read, in a run of its own, and the SQL to write for it. */
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

/** Returns what tables of a project are generated with. */
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

/** A generation and what `meta` tells of it. */
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

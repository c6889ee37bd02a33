import {
  chooseDialect,
  createRun,
  type GenerateItem,
  readRequest,
  type RunSetup,
  type RunTable,
} from '@stagecraft/core'
import { type DialectName, type GenerationRequest, type Meta, StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'
import type { MadeGeneration } from './record-generation.ts'
import { type ColumnsPlace, withColumns } from './with-columns.ts'

export interface ReadSetup extends ColumnsPlace {
  readonly settings: ProjectSettings
}

/** A table that was read, and the SQL to write for it. */
export interface ReadItem {
  readonly item: GenerateItem
  readonly dialect: DialectName
}

/** @throws {StagecraftError} INVALID_REQUEST, INVALID_SOURCE or CONNECTION_FAILED. */
export function readItem(
  request: GenerationRequest,
  context: ServiceContext,
  { settings, ...place }: ReadSetup,
): Promise<ReadItem> {
  return withColumns(context, place, async (catalog) => {
    const dialect = chooseDialect(settings, catalog)
    return {
      dialect,
      item: await readRequest(request, { ...settings, dialect, catalog, signal: place.signal }),
    }
  })
}

/** What the engine is given for tables of a project. */
export function runSetup(
  { clock, settings: { backend, editing } }: ServiceContext,
  { config }: ProjectSettings,
  dialect: DialectName,
): RunSetup {
  return {
    clock,
    dialect,
    ...(config && { config }),
    ...(backend && { backend }),
    ...(editing && { editing }),
  }
}

/** A generation and what `meta` tells of it. */
export interface MadeAnswer extends Omit<MadeGeneration, 'durationMs'> {
  readonly meta: Omit<Meta, 'requestId' | 'timestamp'>
}

/** @throws {StagecraftError} INVALID_REQUEST for options that are unknown; INVALID_SOURCE for a table without columns. */
export function checkItem({ item }: ReadItem, setup: RunSetup): void {
  only(createRun([item], setup)).check()
}

/** @throws {StagecraftError} GENERATION_FAILED. */
export async function makeGeneration(
  { dialect, item }: ReadItem,
  setup: RunSetup,
  signal: AbortSignal,
): Promise<MadeAnswer> {
  const edited = await only(createRun([item], setup)).edit({ signal })
  const data = only(createRun([edited.item], setup)).generate()
  return { data, item: edited.item, dialect, tokensUsed: edited.meta.tokensUsed, meta: edited.meta }
}

function only([table]: readonly RunTable[]): RunTable {
  if (!table) throw new StagecraftError('GENERATION_FAILED', 'nothing was generated')
  return table
}

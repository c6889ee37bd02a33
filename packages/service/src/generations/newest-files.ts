import { type EditedItem, createRun, parseItem, sortFiles } from '@stagecraft/core/run'
import { type DialectName, type GeneratedFile, StagecraftError } from '@stagecraft/spec'
import { setImmediate as pause } from 'node:timers/promises'
import type { ServiceContext } from '../context.ts'
import { pathProblem } from '../git/file-path.ts'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import { findUnitIds } from '../units/units.ts'

export interface NewestFilesOptions {
  readonly projectId: string
  /** Default: all units of the project. */
  readonly unitIds?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the files of the newest generation of each unit. They are printed together, because tables of one source share
 * YAML files. The same generations produce the same bytes.
 *
 * @throws {StagecraftError} NOT_FOUND for an unknown unit; INVALID_REQUEST if nothing has been generated.
 */
export async function newestFiles(
  context: ServiceContext,
  { projectId, signal, unitIds }: NewestFilesOptions,
): Promise<readonly GeneratedFile[]> {
  const settings = await projectSettings(context.store.db, projectId)
  const newest = await readNewest(context, { projectId, unitIds })
  if (newest.length === 0) throw nothingGenerated()
  return await printUnits(newest, settings, signal)
}

/** Returns the files of several units together. If two units have one table, the later one counts. */
export async function printUnits(
  units: readonly GeneratedUnit[],
  settings: ProjectSettings,
  signal: AbortSignal | undefined,
): Promise<readonly GeneratedFile[]> {
  if (units.length === 0) return []
  const dialect = settings.dialect ?? commonDialect(units)
  const files = await print(distinctItems(units), { ...settings, dialect }, signal)
  assertInside(files)
  return files
}

/** Refuses paths that lead out of an archive or a repository, because names come from configurations and warehouses. */
function assertInside(files: readonly GeneratedFile[]): void {
  for (const { path } of files) {
    const expected = pathProblem(path)
    if (expected !== undefined)
      throw StagecraftError.invalid([{ path: 'config.naming', expected, received: JSON.stringify(path) }])
  }
}

/** The input of a unit's newest generation. */
export interface GeneratedUnit {
  readonly item: EditedItem
  readonly dialect: DialectName
}

/** In the order in which they were generated. */
async function readNewest(
  { store: { db } }: ServiceContext,
  { projectId, unitIds }: NewestFilesOptions,
): Promise<readonly GeneratedUnit[]> {
  if (unitIds) await findUnitIds(db, { projectId, unitIds })
  const rows = await db
    .selectFrom('units')
    .innerJoin('generations', 'generations.id', 'units.last_generation_id')
    .select(['generations.item', 'generations.dialect'])
    .where('units.project_id', '=', projectId)
    .$if(unitIds !== undefined, (units) => units.where('units.id', 'in', unitIds ?? []))
    .orderBy('generations.finished_at')
    .orderBy('generations.id')
    .execute()
  return rows.flatMap(({ dialect, item }) =>
    item === null || dialect === null ? [] : [{ item: parseItem(item), dialect: dialect as DialectName }],
  )
}

/** Two units may spell one table differently. The later one counts. */
function distinctItems(newest: readonly GeneratedUnit[]): readonly EditedItem[] {
  const identify = ({ request: { source, type } }: EditedItem): string => JSON.stringify([type, source])
  return [...new Map(newest.map(({ item }) => [identify(item), item])).values()]
}

/** @throws {StagecraftError} INVALID_REQUEST for units of several warehouses, which one dbt project cannot hold. */
export function commonDialect(newest: readonly GeneratedUnit[]): DialectName | undefined {
  const [first, ...others] = new Set(newest.map(({ dialect }) => dialect))
  if (others.length === 0) return first
  const received = [first, ...others].join(' and ')
  throw StagecraftError.invalid(
    [{ path: 'dialect', expected: 'units of one dialect, or a project with a dialect', received }],
    {
      suggestion: 'set the dialect of the project, or name units of one dialect',
    },
  )
}

/** The number of tables between two yields to the event loop. */
const TABLES_PER_PAUSE = 20

async function print(
  items: readonly EditedItem[],
  { config, dialect }: Omit<ProjectSettings, 'dialect'> & { readonly dialect: DialectName | undefined },
  signal: AbortSignal | undefined,
): Promise<readonly GeneratedFile[]> {
  const steps = createRun(items, { ...(dialect && { dialect }), ...(config && { config }) }).steps()
  const files: GeneratedFile[] = []
  for (let done = 1; ; done += 1) {
    const step = steps.next()
    if (step.done) return sortFiles(files)
    files.push(...step.value)
    if (done % TABLES_PER_PAUSE === 0) await pause()
    signal?.throwIfAborted()
  }
}

/** Creates the error for a project or units without files. */
export function nothingGenerated(): Error {
  const suggestion = 'generate first: POST /v1/projects/{projectId}/generations'
  return StagecraftError.invalid(
    [{ path: '', expected: 'a project with generated units', received: 'one without them' }],
    {
      suggestion,
    },
  )
}

import { chooseDialect, type ReadTable, readTables } from '@stagecraft/core/run'
import { DIALECTS } from '@stagecraft/core'
import { StagecraftError } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { withColumns } from '../generations/generate-unit.ts'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import type { Database, ScanRow } from '../store/schema.ts'

/** Returns the newest completed scan of the connection of a project; undefined without one. */
export function newestScanOf(
  db: Kysely<Database>,
  projectId: string,
): Promise<Pick<ScanRow, 'id' | 'connection_id' | 'dialect'> | undefined> {
  return db
    .selectFrom('scans')
    .innerJoin('projects', 'projects.connection_id', 'scans.connection_id')
    .select(['scans.id', 'scans.connection_id', 'scans.dialect'])
    .where('projects.id', '=', projectId)
    .where('scans.state', '=', 'completed')
    .orderBy('scans.finished_at', 'desc')
    .orderBy('scans.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the settings for proposed models. A project without a dialect uses that of its warehouse. */
export async function modelSettings(db: Kysely<Database>, projectId: string): Promise<ProjectSettings> {
  const settings = await projectSettings(db, projectId)
  const dialect = settings.dialect ?? settings.config?.dialect ?? (await newestScanOf(db, projectId))?.dialect
  return { ...settings, ...(dialect && { dialect }) }
}

export interface ModelTable {
  readonly projectId: string
  /** The dotted name. */
  readonly source: string
  readonly signal: AbortSignal
}

/**
 * Reads the table of a proposed model as generations from scans read it, including the profile of its rows.
 *
 * @returns Undefined for a project without a scan.
 * @throws {StagecraftError} INVALID_SOURCE for a table that the scan did not find; INVALID_REQUEST for one that has a
 * unit, whose next push would write its model again.
 */
export async function readModelTable(
  context: ServiceContext,
  { projectId, signal, source }: ModelTable,
): Promise<ReadTable | undefined> {
  const settings = await modelSettings(context.store.db, projectId)
  const scan = await newestScanOf(context.store.db, projectId)
  if (!scan) {
    await assertNoUnit(context, projectId, source)
    return undefined
  }
  const place = { columns: 'scan', connectionId: null, projectId, signal } as const
  return withColumns(context, place, async (catalog) => {
    const dialect = DIALECTS[chooseDialect(settings, catalog)]
    const { tables } = await readTables(catalog, [source], { exact: true, dialect })
    const [found] = tables
    await assertNoUnit(context, projectId, found?.name ?? source)
    return found
  })
}

async function assertNoUnit({ store }: ServiceContext, projectId: string, source: string): Promise<void> {
  const unit = await store.db
    .selectFrom('units')
    .select('id')
    .where('project_id', '=', projectId)
    .where('type', '=', 'staging')
    .where('source', '=', source)
    .executeTakeFirst()
  if (!unit) return
  const suggestion = `generate and push ${unit.id}; descriptions and tests can be proposed with propose_properties`
  throw StagecraftError.invalid(
    { path: 'source', expected: 'a table without a unit', received: `that of ${unit.id}` },
    { suggestion },
  )
}

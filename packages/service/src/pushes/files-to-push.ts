import type { GeneratedFile } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import { newestFiles } from '../generations/newest-files.ts'

export interface FilesToPush {
  readonly projectId: string
  /** Default: all units of the project. */
  readonly unitIds: readonly string[] | undefined
  /** Paths of what the branch was given before. */
  readonly pushed: ReadonlySet<string>
  readonly signal: AbortSignal
}

/**
 * The files of a push. Those of chosen units are printed together with the units whose models are in the branch already:
 * they share YAML files, from which the others would else be missing.
 *
 * @throws {StagecraftError} As `newestFiles` does.
 */
export async function filesToPush(
  context: ServiceContext,
  { projectId, pushed, signal, unitIds }: FilesToPush,
): Promise<readonly GeneratedFile[]> {
  if (!unitIds) return await newestFiles(context, { projectId, signal })
  const chosen = new Set(unitIds)
  const models = await modelPaths(context, projectId)
  const others = models.filter(({ id, path }) => !chosen.has(id) && pushed.has(path))
  const all = [...chosen, ...others.map(({ id }) => id)]
  const files = await newestFiles(context, { projectId, unitIds: all, signal })
  const notAsked = new Set(others.map(({ path }) => path))
  return files.filter(({ path }) => !notAsked.has(path))
}

/** Where the models of the newest generations stand. */
async function modelPaths({ store: { db } }: ServiceContext, projectId: string) {
  return await db
    .selectFrom('units')
    .innerJoin('generation_files', 'generation_files.generation_id', 'units.last_generation_id')
    .select(['units.id', 'generation_files.path'])
    .where('units.project_id', '=', projectId)
    .where('generation_files.path', 'like', '%.sql')
    .execute()
}

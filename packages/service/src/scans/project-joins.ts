import type { WrittenJoin } from '@stagecraft/core/inference'
import { type CatalogTable, type DialectName, StagecraftError, type Warning } from '@stagecraft/spec'
import { joinsInThread } from '../analyses/analysis-thread.ts'
import type { ServiceContext } from '../context.ts'
import { gitOf } from '../projects/git-settings.ts'
import { readProject } from '../projects/project-settings.ts'
import { readProjectFiles } from '../talk/read-files.ts'

export interface ProjectJoins {
  readonly joins: readonly WrittenJoin[]
  /** Reports why the SQL could not be read. */
  readonly warnings: readonly Warning[]
}

interface ProjectJoinsOptions {
  readonly projectId: string
  readonly tables: readonly CatalogTable[]
  /** The SQL dialect of the warehouse. */
  readonly dialect: DialectName | undefined
  readonly signal: AbortSignal
}

/**
 * Finds joins between tables in the SQL of a project's repository; none without a repository. A repository that cannot
 * be read is a warning, because a scan does not depend on it.
 */
export async function projectJoins(
  context: ServiceContext,
  { dialect, projectId, signal, tables }: ProjectJoinsOptions,
): Promise<ProjectJoins> {
  const project = await readProject(context.store.db, projectId)
  if (!gitOf(project) || tables.length < 2) return { joins: [], warnings: [] }
  try {
    const { files } = await readProjectFiles(context, project, { known: undefined, signal })
    const found = await joinsInThread({ files, tables, dialect }, { signal })
    const joins = found.flatMap(({ left, place, right }): readonly WrittenJoin[] => {
      const [one, other] = [tables[left.table], tables[right.table]]
      if (!one || !other) return []
      const [of, to] = [left.column, right.column]
      return [{ left: { table: one, column: of }, right: { table: other, column: to }, place }]
    })
    return { joins, warnings: [] }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof StagecraftError)) throw error
    const message = `joins in the repository are no evidence in this scan: ${error.message}`
    return { joins: [], warnings: [{ code: 'JOINS_NOT_READ', message }] }
  }
}

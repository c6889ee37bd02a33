import { readLintProject, tableJoins } from '@stagecraft/analysis'
import type { WrittenJoin } from '@stagecraft/core/inference'
import { diskTree, findProjectRoot } from '@stagecraft/dbt'
import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, DialectName } from '@stagecraft/spec'
import { type ProfileFlags, projectContext } from '../files/index-project.ts'

/** Finds joins between columns of tables. */
export type FindJoins = (tables: readonly CatalogTable[]) => Promise<readonly WrittenJoin[]>

/**
 * Finds joins in the SQL of the surrounding dbt project. There are none outside a project, between undeclared tables,
 * or without the optional SQL package.
 */
export function joinsAround(folder: string, dialect: Dialect<DialectName>, flags: ProfileFlags): FindJoins {
  return async (tables) => {
    const root = tables.length < 2 ? undefined : await findProjectRoot(folder)
    if (root === undefined) return []
    const project = await readLintProject(diskTree(root), {
      context: await projectContext(root, flags),
      dialect: dialect.name,
      structure: true,
      tables,
    })
    return tableJoins(project, tables)
  }
}

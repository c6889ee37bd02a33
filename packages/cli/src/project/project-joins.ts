import { readLintProject, type SourceColumn, sourceJoins } from '@stagecraft/analysis'
import type { ColumnOf, WrittenJoin } from '@stagecraft/core/inference'
import { diskTree, findProjectRoot } from '@stagecraft/dbt'
import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, DialectName } from '@stagecraft/spec'
import { projectContext } from '../files/index-project.ts'

/** Finds joins between columns of tables. */
export type FindJoins = (tables: readonly CatalogTable[]) => Promise<readonly WrittenJoin[]>

/**
 * Finds joins in the SQL of the dbt project around a folder. There are none outside a project, between tables that no source
 * declares, and without the optional package that reads SQL.
 */
export function joinsAround(folder: string, dialect: Dialect<DialectName>): FindJoins {
  return async (tables) => {
    const root = tables.length < 2 ? undefined : await findProjectRoot(folder)
    if (root === undefined) return []
    const project = await readLintProject(diskTree(root), {
      context: await projectContext(root),
      dialect: dialect.name,
      structure: true,
      tables,
    })
    const own = new Map<unknown, CatalogTable>(tables.map((table) => [table, table]))
    const find = ({ column, source, table }: SourceColumn): ColumnOf | undefined => {
      const found = own.get(project.raw.tableOf(source, table))
      const wanted = column.toLowerCase()
      const stored =
        found?.columns.find(({ name }) => name === column) ??
        found?.columns.find(({ name }) => name.toLowerCase() === wanted)
      return found && stored && { table: found, column: stored.name }
    }
    return sourceJoins(project, project.structure).flatMap((join): readonly WrittenJoin[] => {
      const [left, right] = [find(join.left), find(join.right)]
      return left && right ? [{ left, right, place: `${join.path}:${join.line}` }] : []
    })
  }
}

import type { Table } from '@stagecraft/spec'
import type { LintProject } from '../project/lint-project.ts'
import { builtModels } from '../rules/subjects.ts'
import type { ColumnRead, SqlStructure } from '../structure/sql-structure.ts'
import { lineOfPlace } from './model-lineage.ts'

/** A column of a table of a source. */
export interface SourceColumn {
  readonly source: string
  readonly table: string
  /** The spelling in the query. */
  readonly column: string
}

/** Two columns of sources that the SQL of the project joins by. */
export interface SourceJoin {
  readonly left: SourceColumn
  readonly right: SourceColumn
  /** The file with the join, relative to the project. */
  readonly path: string
  /** 1-based. */
  readonly line: number
}

/**
 * Returns the joins of a project between columns of its sources. Columns that models pass on, rename or cast are
 * traced to their sources.
 */
export function sourceJoins(project: LintProject, structure: SqlStructure): readonly SourceJoin[] {
  return builtModels(project).flatMap((model) => {
    const found = structure.of(model)
    if (found.status !== 'read') return []
    return found.joins.flatMap((join): readonly SourceJoin[] => {
      const [left, right] = [originOf(join.left, structure), originOf(join.right, structure)]
      if (!left || !right) return []
      return [{ left, right, path: join.left.place.path, line: lineOfPlace(project, join.left.place) }]
    })
  })
}

/** Two columns of tables that the SQL of the project joins by. */
export interface TableJoin<Known> {
  readonly left: ColumnOfTable<Known>
  readonly right: ColumnOfTable<Known>
  /** The file and line with the join: `models/marts/orders.sql:14`. */
  readonly place: string
}

interface ColumnOfTable<Known> {
  readonly table: Known
  /** As stored. */
  readonly column: string
}

/** Returns the joins of a project between columns of the tables that it was read with. */
export function tableJoins<Known extends Table>(
  project: LintProject,
  tables: readonly Known[],
): readonly TableJoin<Known>[] {
  const own = new Map<unknown, Known>(tables.map((table) => [table, table]))
  const find = ({ column, source, table }: SourceColumn): ColumnOfTable<Known> | undefined => {
    const found = own.get(project.raw.tableOf(source, table))
    const wanted = column.toLowerCase()
    const stored =
      found?.columns.find(({ name }) => name === column) ??
      found?.columns.find(({ name }) => name.toLowerCase() === wanted)
    return found && stored && { table: found, column: stored.name }
  }
  return sourceJoins(project, project.structure).flatMap((join): readonly TableJoin<Known>[] => {
    const [left, right] = [find(join.left), find(join.right)]
    return left && right ? [{ left, right, place: `${join.path}:${join.line}` }] : []
  })
}

/** Returns the source column behind a column of a model, unchanged or cast. */
function originOf(
  { column, relation }: ColumnRead,
  structure: SqlStructure,
  seen: readonly string[] = [],
): SourceColumn | undefined {
  if (relation.kind === 'source') return { source: relation.source, table: relation.table, column }
  if (relation.kind !== 'model' || seen.includes(relation.model.path)) return undefined
  const found = structure.of(relation.model)
  if (found.status !== 'read') return undefined
  const wanted = column.toLowerCase()
  const output = found.columns.find(({ name }) => name.toLowerCase() === wanted)
  const [only, ...others] = output?.sources ?? []
  if (!output || !only || others.length > 0 || output.kind === 'expression' || !output.isSourceComplete)
    return undefined
  return originOf(only, structure, [...seen, relation.model.path])
}

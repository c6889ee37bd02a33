import type { LintProject } from '../project/lint-project.ts'
import { builtModels } from '../rules/subjects.ts'
import type { ColumnRead, SqlStructure } from '../structure/sql-structure.ts'
import { lineOfPlace } from './model-lineage.ts'

/** A column of a table of a source. */
export interface SourceColumn {
  readonly source: string
  readonly table: string
  /** As a query spells it. */
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
 * Returns the joins of a project between columns of its sources: those that models pass on as they are, renamed or cast
 * are followed to where they come from.
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

/** The column of a source that a column of a model holds, as it is or cast. */
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

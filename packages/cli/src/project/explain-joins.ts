import { readLintProject, type SourceColumn, type SourceJoin, sourceJoins } from '@stagecraft/analysis'
import type { ProjectIndex } from '@stagecraft/dbt'
import type { ColumnExplanation, Decision, Explanation, Reason } from '@stagecraft/spec'
import type { OpenProject } from './open-project.ts'

/** Adds reasons to an explanation. */
type Explain = (explanation: Explanation) => Explanation

/** Adds joins in the project's SQL as evidence to the tests of references. */
export async function explainJoins(
  explanations: readonly Explanation[],
  { context, index, tree }: OpenProject,
): Promise<Explain> {
  const hasReferences = explanations.some(({ columns }) =>
    columns.some(({ decisions }) => decisions.some((decision) => parentOf(decision) !== undefined)),
  )
  if (!index || !hasReferences) return (explanation) => explanation
  const project = await readLintProject(tree, { context, structure: true })
  const joins = sourceJoins(project, project.structure).flatMap(bothWays)
  return (explanation) => {
    const own = joins.filter(({ child }) => isReadBy(explanation.model, child, index))
    return { ...explanation, columns: explanation.columns.map((column) => withPlaces(column, own, index)) }
  }
}

interface DirectedJoin {
  readonly child: SourceColumn
  readonly parent: SourceColumn
  readonly place: string
}

function bothWays({ left, line, path, right }: SourceJoin): readonly DirectedJoin[] {
  const place = `${path}:${line}`
  return [
    { child: left, parent: right, place },
    { child: right, parent: left, place },
  ]
}

/** Returns true for a table that a model reads. */
function isReadBy(
  model: string | undefined,
  { source, table }: SourceColumn,
  { models }: ProjectIndex,
): boolean {
  const reads = models.find(({ name }) => name === model)?.reads ?? []
  return reads.some((read) => read.source === source && read.table === table)
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a?.toLowerCase() === b?.toLowerCase()
}

function withPlaces(
  column: ColumnExplanation,
  joins: readonly DirectedJoin[],
  index: ProjectIndex,
): ColumnExplanation {
  const decisions = column.decisions.map((decision): Decision => {
    const model = parentOf(decision)
    const places = joins.flatMap(({ child, parent, place }) =>
      isSame(child.column, column.column) && isReadBy(model, parent, index) ? [place] : [],
    )
    return places.length === 0
      ? decision
      : { ...decision, reasons: [...decision.reasons, reasonOf([...new Set(places)])] }
  })
  return { ...column, decisions }
}

/** Returns the target model of a `relationships` test. */
function parentOf({ about, value = '' }: Decision): string | undefined {
  return about === 'test' ? /^relationships .*?ref\('([^']+)'\)/.exec(value)?.[1] : undefined
}

function reasonOf(places: readonly string[]): Reason {
  return { rule: 'test.joined', evidence: 'project', text: `the project joins on it at ${places.join(', ')}` }
}

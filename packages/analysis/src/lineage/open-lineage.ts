import type { LineageAround, LineageEdge, LineageNode } from './lineage.ts'

export interface OpenLineageOptions {
  /** The name of the dbt project. */
  readonly project: string
  /** Version of Stagecraft. */
  readonly version: string
  /** The time of the events, which the format requires. */
  readonly time: Date
}

const SCHEMA = 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent'
const COLUMN_FACET =
  'https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet'

/**
 * Prints a lineage as OpenLineage events, one JSON object per line: a job for each relation that reads others, with
 * its inputs and outputs. Places in the warehouse depend on the target, so datasets have their names in the project.
 * https://openlineage.io/docs/spec/object-model
 */
export function printOpenLineage({ edges, nodes }: LineageAround, options: OpenLineageOptions): string {
  const byRelation = Map.groupBy(nodes, relationOf)
  const parents = new Map([...byRelation].map(([id]) => [id, parentRelations(id, edges)]))
  const events = [...byRelation].flatMap(([id, own]) => {
    const [first] = own
    const inputs = [...(parents.get(id) ?? [])].flatMap((parent) => byRelation.get(parent)?.[0] ?? [])
    return first && inputs.length > 0 ? [toEvent(first, { own, inputs, edges, nodes }, options)] : []
  })
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

function relationOf({ column, id }: Pick<LineageNode, 'column' | 'id'>): string {
  return column === undefined ? id : id.slice(0, id.lastIndexOf(':'))
}

function relationOfId(id: string): string {
  const colon = id.lastIndexOf(':')
  return colon === -1 ? id : id.slice(0, colon)
}

function parentRelations(id: string, edges: readonly LineageEdge[]): ReadonlySet<string> {
  return new Set(edges.filter(({ to }) => relationOfId(to) === id).map(({ from }) => relationOfId(from)))
}

interface EventParts {
  /** The nodes of the relation: itself, or its columns. */
  readonly own: readonly LineageNode[]
  readonly inputs: readonly LineageNode[]
  readonly edges: readonly LineageEdge[]
  readonly nodes: readonly LineageNode[]
}

function toEvent(
  node: LineageNode,
  { edges, inputs, nodes, own }: EventParts,
  { project, time, version }: OpenLineageOptions,
): object {
  const producer = `https://www.npmjs.com/package/@stagecraft/cli/v/${version}`
  const namespace = `dbt://${encodeURIComponent(project)}`
  const fields = own.flatMap((column) => {
    const made = edges
      .filter(({ to }) => to === column.id)
      .map(({ from }) => nodes.find(({ id }) => id === from))
    const inputFields = made.flatMap((from) =>
      from?.column === undefined ? [] : [{ namespace, name: from.name, field: from.column }],
    )
    return column.column === undefined || inputFields.length === 0
      ? []
      : [[column.column, { inputFields }] as const]
  })
  const facets = {
    columnLineage: { _producer: producer, _schemaURL: COLUMN_FACET, fields: Object.fromEntries(fields) },
  }
  return {
    eventTime: time.toISOString(),
    producer,
    schemaURL: SCHEMA,
    job: { namespace, name: `${node.kind}.${node.name}` },
    inputs: inputs.map(({ name }) => ({ namespace, name })),
    outputs:
      node.kind === 'exposure' ? [] : [{ namespace, name: node.name, ...(fields.length > 0 && { facets }) }],
  }
}

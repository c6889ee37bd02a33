import { compareText } from '@stagecraft/spec'

/** Something that data flows through: a relation, an exposure, or a column of a relation. */
export interface LineageNode {
  /** `model.stg_orders`, `source.shop.orders`; for a column with its name after a colon: `model.stg_orders:amount`. */
  readonly id: string
  readonly kind: 'source' | 'model' | 'seed' | 'snapshot' | 'exposure'
  /** `stg_orders`, `shop.orders`; a version is part of it: `dim_customers.v2`. */
  readonly name: string
  readonly column?: string
  /** The file that defines it, relative to the project. */
  readonly path: string
  /** 1-based. */
  readonly line: number
}

/** One node reads another. */
export interface LineageEdge {
  /** The id of the relation that is read. */
  readonly from: string
  readonly to: string
  /** The place where it is read. */
  readonly path: string
  readonly line: number
}

/** A relation that may have unknown lineage. */
export interface LineageGap {
  /** The id of the relation. */
  readonly id: string
  readonly name: string
  /** Lower case, without a period. */
  readonly reason: string
}

export interface Lineage {
  readonly nodes: readonly LineageNode[]
  readonly edges: readonly LineageEdge[]
  readonly gaps: readonly LineageGap[]
}

export type LineageDirection = 'up' | 'down' | 'both'

/** The part of a lineage around one node. */
export interface LineageAround extends Lineage {
  readonly start: LineageNode
  readonly direction: LineageDirection
  /** The effect of dropping the column of `start`. @default not computed */
  readonly impact?: Impact
}

/** The parts that break when a column is dropped. */
export interface Impact {
  /** Places in models that name it. */
  readonly breaks: readonly BrokenRead[]
  /** Models, snapshots and exposures downstream of those models. */
  readonly below: readonly LineageNode[]
  /** The columns that disappear with it, because a `*` passes it on. */
  readonly gone: readonly LineageNode[]
}

/** A model that reads a dropped column, by name or after a `*`. */
export interface BrokenRead {
  readonly id: string
  readonly name: string
  readonly column: string
  readonly path: string
  readonly line: number
}

/** Returns the nodes upstream and downstream of a node, nearest first. */
export function lineageAround(
  { edges, gaps, nodes }: Lineage,
  start: LineageNode,
  direction: LineageDirection,
): LineageAround {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const up = direction === 'down' ? [] : reach(new Set([start.id]), edges, ['to', 'from'])
  const down = direction === 'up' ? [] : reach(new Set([start.id]), edges, ['from', 'to'])
  const ids = new Set([start.id, ...up, ...down])
  const [above, below] = [new Set([start.id, ...up]), new Set([start.id, ...down])]
  return {
    start,
    direction,
    nodes: [...ids].flatMap((id) => byId.get(id) ?? []),
    edges: edges.filter(
      ({ from, to }) => (above.has(from) && above.has(to)) || (below.has(from) && below.has(to)),
    ),
    gaps: gaps.filter(({ id }) => ids.has(id)),
  }
}

/** Returns the nodes downstream of relations, without these, nearest first. */
export function nodesBelow({ edges, nodes }: Lineage, starts: ReadonlySet<string>): readonly LineageNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const ids = reach(starts, edges, ['from', 'to'])
  return ids.flatMap((id) => byId.get(id) ?? [])
}

type End = 'from' | 'to'

/** Returns the ids reachable over edges, without the starts, nearest first. */
function reach(
  starts: ReadonlySet<string>,
  edges: readonly LineageEdge[],
  [near, far]: readonly [End, End],
): readonly string[] {
  const next = Map.groupBy(edges, (edge) => edge[near])
  const found = new Set(starts)
  for (const id of found) for (const edge of next.get(id) ?? []) found.add(edge[far])
  return [...found].filter((id) => !starts.has(id))
}

export function compareEdges(a: LineageEdge, b: LineageEdge): number {
  return compareText(a.from, b.from) || compareText(a.to, b.to) || a.line - b.line
}

import { columnLineage, type Lineage, lineageAround, type LineageGap } from '@stagecraft/analysis'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { findResource, type Found, unknownColumn } from '../resources.ts'
import { defineTool, type Item, itemSchema, idInput } from '../tool.ts'
import { resourceOf } from './resource.ts'

const DIRECTIONS = ['up', 'down', 'both'] as const

/** Follows lineage of relations and columns. */
export const getLineage = defineTool({
  name: 'get_lineage',
  title: 'Lineage',
  description:
    'Follows a relation or column up to its inputs, or down to everything made from it. Items are nearest first; via lists the neighbours on the way.',
  input: {
    id: idInput,
    direction: z.enum(DIRECTIONS).default('both'),
    depth: z.int().min(1).max(50).default(10),
  },
  head: { start: itemSchema },
  item: itemSchema.extend({
    direction: z.enum(['up', 'down']),
    distance: z.int().min(1).max(100),
    via: z.array(z.string()),
  }),
  run: (view, { depth, direction, id }) => {
    const found = findResource(view, id)
    const lineage = around(view, found, direction)
    const sides = direction === 'both' ? (['up', 'down'] as const) : [direction]
    return {
      head: { start: resourceOf(view, found) },
      items: sides.flatMap((side) => reached(lineage, lineage.start.id, { side, depth })),
      notes: [...unknownColumn(view, found), ...notesOf(lineage.gaps)],
    }
  },
})

export function around(
  view: ProjectView,
  { column, node }: Found,
  direction: (typeof DIRECTIONS)[number],
): ReturnType<typeof columnLineage> {
  if (column === undefined) return lineageAround(view.lineage, node, direction)
  const { lineage, project } = view
  return columnLineage(
    project,
    { relation: node, column, direction },
    { models: lineage, structure: project.structure },
  )
}

export function notesOf(gaps: readonly LineageGap[]): readonly string[] {
  return gaps.map(({ name, reason }) => `${name} is not fully known: ${reason}`)
}

interface Reached extends Item {
  readonly direction: 'up' | 'down'
  readonly distance: number
  via: string[]
}

/** Returns the nodes in one direction, by distance. */
function reached(
  { edges, nodes }: Lineage,
  start: string,
  { depth, side }: { readonly side: 'up' | 'down'; readonly depth: number },
): readonly Reached[] {
  const [near, far] = side === 'up' ? (['to', 'from'] as const) : (['from', 'to'] as const)
  const next = Map.groupBy(edges, (edge) => edge[near])
  const distances = new Map([[start, 0]])
  for (const [id, distance] of distances)
    for (const edge of distance < depth ? (next.get(id) ?? []) : [])
      if (!distances.has(edge[far])) distances.set(edge[far], distance + 1)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return [...distances].flatMap(([id, distance]) => {
    const node = byId.get(id)
    if (!node || distance === 0) return []
    const via = edges
      .filter((edge) => edge[far] === id && (distances.get(edge[near]) ?? depth) < depth)
      .map((edge) => edge[near])
    const kind = node.column === undefined ? node.kind : 'column'
    const place = { file: node.path, line: node.line }
    return [{ id, kind, ...place, direction: side, distance, via: [...new Set(via)].slice(0, 8) }]
  })
}

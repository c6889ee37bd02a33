import { columnLineage, type Lineage, lineageAround, type LineageGap } from '@stagecraft/analysis'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import {
  type DeclaredTest,
  findResource,
  type Found,
  isSame,
  testsOf,
  testsReading,
  unknownColumn,
} from '../resources.ts'
import { defineTool, type Item, itemSchema, idInput } from '../tool.ts'
import { resourceOf } from './resource.ts'
import { usesOf } from './uses.ts'

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

function around(
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

function notesOf(gaps: readonly LineageGap[]): readonly string[] {
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

const EFFECTS = ['breaks', 'builds_on_broken', 'test_fails'] as const

/** Lists what breaks without a relation or column. */
export const getImpact = defineTool({
  name: 'get_impact',
  title: 'Impact of a removal',
  description:
    'Lists everything that stops working if a relation or column is dropped or renamed: places that read it (breaks), everything built on those (builds_on_broken), and its tests (test_fails).',
  input: { id: idInput },
  head: { start: itemSchema },
  item: itemSchema.extend({ effect: z.enum(EFFECTS) }),
  run: (view, { id }) => {
    const found = findResource(view, id)
    const { items, notes } =
      found.column === undefined ? relationImpact(view, found) : columnImpact(view, found)
    const below = belowTests(view, items)
    return {
      head: { start: resourceOf(view, found) },
      items: [
        ...items,
        ...failingTests(view, found).map(({ id: test, line, path, text }) => ({
          id: test,
          kind: 'test',
          file: path,
          line,
          text,
          effect: 'test_fails' as const,
        })),
      ],
      notes: [...unknownColumn(view, found), ...notes, ...below],
    }
  },
})

/** The tests of it, and those of other relations that read it. */
function failingTests(view: ProjectView, { column, node }: Found): readonly DeclaredTest[] {
  const isIts = (name: string | undefined): boolean => column === undefined || isSame(name ?? '', column)
  return [
    ...testsOf(view, node).filter((test) => isIts(test.column)),
    ...testsReading(view, node).filter(({ field }) => isIts(field)),
  ]
}

/** Says how many tests downstream cannot run: they are too many to list. */
function belowTests(view: ProjectView, items: readonly Item[]): readonly string[] {
  const broken = new Set(items.map(({ id }) => id))
  const tests = view.lineage.nodes.filter(({ id }) => broken.has(id)).flatMap((node) => testsOf(view, node))
  const count = new Set(tests.map(({ id }) => id)).size
  return count === 0
    ? []
    : [count === 1 ? 'a test downstream cannot run' : `${count} tests downstream cannot run`]
}

interface Harm {
  readonly items: readonly (Item & { readonly effect: (typeof EFFECTS)[number] })[]
  readonly notes: readonly string[]
}

const BUILT_KINDS = new Set(['model', 'snapshot', 'seed', 'exposure'])

function relationImpact(view: ProjectView, { node }: Found): Harm {
  const uses = usesOf(view, node)
  const broken = uses.items.filter(({ kind }) => kind !== 'properties' && kind !== 'test')
  const direct = new Set(broken.map(({ id }) => id))
  const below = lineageAround(view.lineage, node, 'down').nodes.filter(
    ({ id, kind }) => id !== node.id && !direct.has(id) && BUILT_KINDS.has(kind),
  )
  return {
    items: [
      ...broken.map((item) => ({ ...item, effect: 'breaks' as const })),
      ...below.map(({ id, kind, line, path }) => ({
        id,
        kind,
        file: path,
        line,
        effect: 'builds_on_broken' as const,
      })),
    ],
    notes: uses.notes,
  }
}

function columnImpact(view: ProjectView, found: Found): Harm {
  const { gaps, impact } = around(view, found, 'down')
  const broken = (impact?.breaks ?? []).map(({ column, id, line, path }) => ({
    id,
    kind: id.split('.')[0] ?? 'model',
    file: path,
    line,
    text: `reads ${column}`,
    effect: 'breaks' as const,
  }))
  const below = (impact?.below ?? []).map(({ id, kind, line, path }) => ({
    id,
    kind,
    file: path,
    line,
    effect: 'builds_on_broken' as const,
  }))
  return { items: [...broken, ...below], notes: notesOf(gaps) }
}

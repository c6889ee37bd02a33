import { lineageAround, type LineageNode } from '@stagecraft/analysis'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { findResource, type Found, unknownColumn } from '../resources.ts'
import { type DeclaredTest, testsOf, testsReading } from '../tests.ts'
import { defineTool, idInput, type Item, itemSchema } from '../tool.ts'
import { failingTests, type FoundColumn } from './failing-tests.ts'
import { around, notesOf } from './lineage.ts'
import { resourceOf } from './resource.ts'
import { semanticHarm } from './semantic-models.ts'
import { usesOf } from './uses.ts'

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
    const { items, notes, tests } = isOfColumn(found)
      ? columnImpact(view, found)
      : relationImpact(view, found)
    const failing = new Map(tests.map((test) => [`${test.id} ${test.text} ${test.line}`, test]))
    return {
      head: { start: resourceOf(view, found) },
      items: [
        ...items,
        ...[...failing.values()].map(({ id: test, line, path, text }) => ({
          id: test,
          kind: 'test',
          file: path,
          line,
          text,
          effect: 'test_fails' as const,
        })),
      ],
      notes: [...unknownColumn(view, found), ...notes, ...belowTests(view, items)],
    }
  },
})

interface Harm {
  readonly items: readonly (Item & { readonly effect: (typeof EFFECTS)[number] })[]
  readonly tests: readonly DeclaredTest[]
  readonly notes: readonly string[]
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

/** The kinds of places that read a relation, and are no part of what is built: YAML and tests. */
const NOT_BUILT = new Set(['properties', 'test', 'unit_test'])

const BUILT_KINDS = new Set(['model', 'snapshot', 'seed', 'exposure'])

function relationImpact(view: ProjectView, { node }: Found): Harm {
  const uses = usesOf(view, node)
  const broken = uses.items.filter(({ kind }) => !NOT_BUILT.has(kind))
  const direct = new Set(broken.map(({ id }) => id))
  const below = lineageAround(view.lineage, node, 'down').nodes.filter(
    ({ id, kind }) => id !== node.id && !direct.has(id) && BUILT_KINDS.has(kind),
  )
  return {
    items: withSemantics(view, {
      broken: broken.map((item) => ({ ...item, effect: 'breaks' })),
      below: below.map(builtOnBroken),
      lost: [{ node }],
    }),
    tests: [...testsOf(view, node), ...testsReading(view, node)],
    notes: uses.notes,
  }
}

function builtOnBroken({ id, kind, line, path }: LineageNode): Harm['items'][number] {
  return { id, kind, file: path, line, effect: 'builds_on_broken' }
}

function isOfColumn(found: Found): found is FoundColumn {
  return found.column !== undefined
}

function columnImpact(view: ProjectView, found: FoundColumn): Harm {
  const { gaps, impact } = around(view, found, 'down')
  const gone = [found, ...(impact?.gone ?? []).flatMap((node) => columnOf(view, node))]
  const broken = (impact?.breaks ?? []).map(({ column, id, line, path }) => ({
    id,
    kind: id.split('.')[0] ?? 'model',
    file: path,
    line,
    text: `reads ${column}`,
    effect: 'breaks' as const,
  }))
  const items = withSemantics(view, { broken, below: (impact?.below ?? []).map(builtOnBroken), lost: gone })
  const ids = new Set(items.map(({ id }) => id))
  const tests = gone.map((one) => failingTests(view, one))
  return {
    items,
    tests: tests.flatMap((one) => one.tests),
    notes: [
      ...notesOf(gaps),
      ...gone.flatMap((one) => exposuresOf(view, one, ids)),
      ...tests.flatMap((one) => one.notes),
    ],
  }
}

/** The items of what breaks, and of what is built on that. */
interface Broken {
  readonly broken: Harm['items']
  readonly below: Harm['items']
  /** The relations and columns that are gone. */
  readonly lost: readonly Found[]
}

/** Adds what breaks in the semantic layer: by what is gone, and by the models that break. */
function withSemantics(view: ProjectView, { below, broken, lost }: Broken): Harm['items'] {
  const known = new Set([...broken, ...below].map(({ id }) => id))
  const own = lost.map(({ column, node }) => semanticHarm(view, node, column))
  const others = view.lineage.nodes
    .filter(({ id, kind }) => known.has(id) && kind !== 'exposure')
    .map((node) => semanticHarm(view, node))
  const first = own.flatMap((harm) => harm.broken)
  const second = [
    ...own.flatMap((harm) => harm.below),
    ...others.flatMap((harm) => [...harm.broken, ...harm.below]),
  ]
  const added = [
    ...first.map((item) => ({ ...item, effect: 'breaks' as const })),
    ...second.map((item) => ({ ...item, effect: 'builds_on_broken' as const })),
  ]
  const fresh = added.filter(({ id }, at) => !known.has(id) && added.findIndex((one) => one.id === id) === at)
  const isBroken = (item: Harm['items'][number]): boolean => item.effect === 'breaks'
  return [...broken, ...fresh.filter(isBroken), ...below, ...fresh.filter((item) => !isBroken(item))]
}

/** Returns the relation and the column of the node of a column. */
function columnOf({ lineage }: ProjectView, { column, id }: LineageNode): readonly FoundColumn[] {
  const node = lineage.nodes.find((one) => one.id === id.slice(0, id.lastIndexOf(':')))
  return node && column !== undefined ? [{ node, column }] : []
}

/** Says which exposures may show a column. They name relations only. */
function exposuresOf(
  { lineage }: ProjectView,
  { column, node }: FoundColumn,
  known: ReadonlySet<string>,
): readonly string[] {
  const readers = lineage.edges.filter(
    ({ from, to }) => from === node.id && to.startsWith('exposure.') && !known.has(to),
  )
  return readers.map(({ to }) => `${to} may show it: it reads ${node.name}, which loses ${column}`)
}

import { idOfTable, idOfModel, lineageAround, lineOfPlace, type LineageNode } from '@stagecraft/analysis'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { findResource, type Found, isSame, unknownColumn } from '../resources.ts'
import { type DeclaredTest, type SingularTest, singularTests, testsOf, testsReading } from '../tests.ts'
import { defineTool, idInput, type Item, itemSchema } from '../tool.ts'
import { around, notesOf } from './lineage.ts'
import { resourceOf } from './resource.ts'
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

const BUILT_KINDS = new Set(['model', 'snapshot', 'seed', 'exposure'])

function relationImpact(view: ProjectView, { node }: Found): Harm {
  const uses = usesOf(view, node)
  const broken = uses.items.filter(({ kind }) => kind !== 'properties' && kind !== 'test')
  const direct = new Set(broken.map(({ id }) => id))
  const below = lineageAround(view.lineage, node, 'down').nodes.filter(
    ({ id, kind }) => id !== node.id && !direct.has(id) && BUILT_KINDS.has(kind),
  )
  return {
    items: [...broken.map((item) => ({ ...item, effect: 'breaks' as const })), ...below.map(builtOnBroken)],
    tests: [...testsOf(view, node), ...testsReading(view, node)],
    notes: uses.notes,
  }
}

function builtOnBroken({ id, kind, line, path }: LineageNode): Harm['items'][number] {
  return { id, kind, file: path, line, effect: 'builds_on_broken' }
}

/** A column of a relation. */
type FoundColumn = Required<Found>

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
  const items = [...broken, ...(impact?.below ?? []).map(builtOnBroken)]
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

/** Returns the tests that fail without a column, of its relation and of others, and says which may fail. */
function failingTests(view: ProjectView, found: FoundColumn): Pick<Harm, 'notes' | 'tests'> {
  const { column, node } = found
  const name = column.toLowerCase()
  const singular = singularTests(view, node).map((one) => ({ ...one, reading: readingOf(found, one) }))
  const files = new Set(singular.map(({ test }) => test.path))
  return {
    tests: [
      ...testsOf(view, node).filter(
        ({ column: own, names, path }) =>
          !files.has(path) && (isSame(own ?? '', column) || names?.has(name) === true),
      ),
      ...testsReading(view, node).filter(({ otherNames }) => otherNames?.has(name)),
      ...singular
        .filter(({ reading }) => reading === true)
        .map(({ structure, test }) => ({ ...test, line: lineIn(view, found, structure) ?? test.line })),
    ],
    notes: singular.flatMap(({ reading, test }) =>
      typeof reading === 'string' ? `${test.id} may read ${node.name}.${column}: ${reading}` : [],
    ),
  }
}

/** Returns true for a test that reads a column, and a reason if that is not certain. */
function readingOf(found: FoundColumn, { relations, structure, test }: SingularTest): boolean | string {
  const name = found.column.toLowerCase()
  const isNamed = test.names?.has(name) === true
  // what names the column and reads nothing else means it
  const only = relations.size <= 1
  if (structure.status === 'unread') return isNamed && (only ? true : structure.reason)
  if (readsIn(found, structure).length > 0) return true
  const isOpen = structure.unresolved.some((one) => isSame(one, name))
  if (isNamed && isOpen) return only ? true : 'the relation of a column with that name is not known'
  return isNamed && structure.unknowns.length > 0
    ? `${structure.unknowns.join(', ')} is only known when dbt runs`
    : false
}

type Read = Extract<SingularTest['structure'], { status: 'read' }>

function readsIn({ column, node }: FoundColumn, { excluded, reads }: Read): Read['reads'] {
  return [...reads, ...excluded].filter(
    (read) =>
      isSame(read.column, column) &&
      ((read.relation.kind === 'source' &&
        idOfTable(read.relation.source, read.relation.table) === node.id) ||
        (read.relation.kind === 'model' && idOfModel(read.relation.model) === node.id)),
  )
}

function lineIn(
  { project }: ProjectView,
  found: FoundColumn,
  structure: SingularTest['structure'],
): number | undefined {
  const [read] = structure.status === 'read' ? readsIn(found, structure) : []
  return read && lineOfPlace(project, read.place)
}

import { lineOf } from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, entryOf, findResource, type Found, idOfColumn } from '../resources.ts'
import { testsOf } from '../tests.ts'
import { defineTool, idInput, type Item, itemSchema } from '../tool.ts'
import { type Fact, factOf, FACTS } from './facts.ts'
import { freshnessIn } from './freshness.ts'

const PARTS = ['columns', 'tests', 'sql'] as const

/** Shows one resource: its place and a part of it. */
export const getResource = defineTool({
  name: 'get_resource',
  title: 'One model, source or column',
  description:
    'Shows the definition, description and configuration of one resource. Items are its columns, its tests or the lines of its SQL.',
  input: { id: idInput, part: z.enum(PARTS).default('columns') },
  head: {
    resource: itemSchema,
    config: z.record(z.string(), z.string()).optional(),
    propertiesFile: z.string().optional(),
  },
  item: itemSchema.extend({ type: z.string().optional(), tests: z.array(z.string()).optional() }),
  run: (view, { id, part }) => {
    const found = findResource(view, id)
    const { items, notes } = PART_OF[part](view, found)
    const entry = entryOf(view, found.node)
    const config = configOf(view, found)
    return {
      head: {
        resource: resourceOf(view, found),
        ...(Object.keys(config).length > 0 && { config }),
        ...(entry && { propertiesFile: entry.place.path }),
      },
      items,
      notes,
    }
  },
})

/** Converts a resource to an item with a place to cite. */
export function resourceOf(view: ProjectView, { column, node }: Found): Item {
  if (column !== undefined) {
    const known = columnsOf(view, node).columns.find(({ name }) => name === column)
    if (!known) return { id: idOfColumn(node, column), kind: 'column', file: node.path, line: node.line }
    return columnItem(known)
  }
  const description = entryOf(view, node)?.get('description')
  return {
    id: node.id,
    kind: node.kind,
    file: node.path,
    line: node.line,
    ...(typeof description === 'string' && description.trim() !== '' && { text: description }),
  }
}

type KnownColumn = ReturnType<typeof columnsOf>['columns'][number]

/** Converts a column to an item with a place to cite. */
export function columnItem({
  description,
  id,
  line,
  path,
}: Pick<KnownColumn, 'description' | 'id' | 'line' | 'path'>): Item {
  return { id, kind: 'column', file: path, line, ...(description !== undefined && { text: description }) }
}

const SHOWN_CONFIG = [
  'materialized',
  'schema',
  'alias',
  'database',
  'enabled',
  'unique_key',
  'access',
  'group',
]

/** Facts that add up from several places. If there are none, that is said too. */
const SHOWN_FACTS = ['tag', 'owner', 'contract', 'freshness', 'description'] as const

const AT_RUN_TIME = 'only known when dbt runs'

function configOf(view: ProjectView, { column, node }: Found): Record<string, string> {
  if (column !== undefined) return {}
  const model = view.models.get(node.id)
  const { column: _, ...shown } = node
  const one = { ...shown, ...(model && { model }) }
  return Object.fromEntries([
    ...SHOWN_CONFIG.flatMap((key) => {
      const found = model ? view.project.configOf(model, key) : { status: 'unset' as const }
      if (found.status === 'unset') return []
      return [[key, found.status === 'set' ? JSON.stringify(found.value) : AT_RUN_TIME]]
    }),
    ...SHOWN_FACTS.flatMap((name) => {
      if (!(FACTS[name] as Fact).kinds.includes(node.kind)) return []
      const freshness = name === 'freshness' ? freshnessIn(view, node.id) : undefined
      if (freshness) return [[name, JSON.stringify(freshness)]]
      const value = factOf(view, one, name)
      return [[name, value === undefined ? AT_RUN_TIME : [value].flat().join(', ') || 'none']]
    }),
  ])
}

type Part = (
  view: ProjectView,
  found: Found,
) => {
  readonly items: readonly (Item & { readonly type?: string; tests?: string[] })[]
  readonly notes: readonly string[]
}

const PART_OF: Readonly<Record<(typeof PARTS)[number], Part>> = {
  columns: (view, { column, node }) => {
    const { columns, gaps } = columnsOf(view, node)
    return {
      items: columns
        .filter(({ name }) => column === undefined || name === column)
        .map(({ tests, type, ...column }) => ({
          ...columnItem(column),
          ...(type !== undefined && { type }),
          ...(tests.length > 0 && { tests: tests.slice(0, 8) }),
        })),
      notes: gaps.map((gap) => `there may be more columns: ${gap}`),
    }
  },
  tests: (view, { column, node }) => ({
    items: testsOf(view, node)
      .filter((test) => column === undefined || test.column?.toLowerCase() === column.toLowerCase())
      .map(({ id, line, path, text }) => ({ id, kind: 'test', file: path, line, text })),
    notes: [],
  }),
  sql: (view, { node }) => {
    const file = /\.(?:sql|py)$/.test(node.path) ? view.project.files.get(node.path) : undefined
    if (!file)
      throw StagecraftError.invalid({
        path: 'part',
        expected: '"columns" or "tests" for a resource without SQL',
        received: '"sql"',
      })
    const items = file.lineStarts.map((_, at) => ({
      id: `${node.id}#${at + 1}`,
      kind: 'line',
      file: node.path,
      line: at + 1,
      text: lineOf(file, at + 1),
    }))
    return { items: items.at(-1)?.text === '' ? items.slice(0, -1) : items, notes: [] }
  },
}

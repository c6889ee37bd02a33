import { compareTables, type Drift } from '@stagecraft/dbt'
import { type Column, StagecraftError, type Table } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, findResource, type Found, idOfColumn } from '../resources.ts'
import { defineTool, type Item, itemSchema, idInput } from '../tool.ts'
import { findTable, notRaw, splitName } from './raw-table.ts'
import { usesOf } from './uses.ts'

const count = z.int().min(0).max(1_000_000_000_000)

const STATES = ['unused', 'undeclared', 'missing'] as const

/** Lists the tables of sources, both declared and in the warehouse. */
export const listSources = defineTool({
  name: 'list_sources',
  title: 'Source tables',
  description:
    'Lists the raw tables that sources declare, with their readers: all, unused ones, undeclared ones (only in the warehouse) or missing ones (only declared).',
  input: {
    source: z.string().min(1).max(300).optional().describe('the name of a dbt source'),
    state: z.enum(STATES).optional(),
  },
  item: itemSchema.extend({ readers: count, state: z.enum(['declared', ...STATES]) }),
  run: (view, { source, state }) => {
    if (source !== undefined) assertSource(view, source)
    if (state === 'undeclared' || state === 'missing') assertCatalog(view)
    const items = [...declaredTables(view), ...undeclaredTables(view)]
    return {
      items: items
        .filter(({ id }) => source === undefined || id.startsWith(`source.${source}.`))
        .filter((item) => state === undefined || item.state === state),
      notes: hasCatalog(view) ? [] : [NO_CATALOG],
    }
  },
})

const NO_CATALOG =
  'undeclared and missing tables are not known, because the warehouse was not read: --catalog reads it'

type SourceItem = Item & { readonly readers: number; readonly state: 'declared' | (typeof STATES)[number] }

function declaredTables(view: ProjectView): readonly SourceItem[] {
  return view.lineage.nodes
    .filter(({ kind }) => kind === 'source')
    .map((node) => {
      const readers = usesOf(view, node).items.filter(({ kind }) => kind !== 'properties' && kind !== 'test')
      const [source, table] = splitName(node.name)
      const isGone = hasCatalog(view) && !view.project.raw.tableOf(source, table)
      const state = isGone ? 'missing' : readers.length === 0 ? 'unused' : 'declared'
      return {
        id: node.id,
        kind: 'source',
        file: node.path,
        line: node.line,
        readers: new Set(readers.map(({ id }) => id)).size,
        state,
      }
    })
}

function undeclaredTables({ project }: ProjectView): readonly SourceItem[] {
  return project.index.sources.flatMap((source) => {
    const known = new Set(
      project.index.sources
        .filter(({ name }) => name === source.name)
        .flatMap(({ tables }) => tables.map(({ identifier }) => identifier.toLowerCase())),
    )
    return (project.raw.tablesIn(source.name) ?? []).flatMap(({ name = '' }) =>
      known.has(name.toLowerCase())
        ? []
        : [
            {
              id: `source.${source.name}.${name}`,
              kind: 'table',
              file: source.path,
              line: source.line,
              readers: 0,
              state: 'undeclared' as const,
            },
          ],
    )
  })
}

function assertSource({ project }: ProjectView, source: string): void {
  const names = new Set(project.index.sources.map(({ name }) => name))
  if (names.has(source)) return
  throw StagecraftError.invalid({
    path: 'source',
    expected: `a dbt source: ${[...names].slice(0, 20).join(', ')}`,
    received: JSON.stringify(cleanText(source, 100)),
  })
}

function hasCatalog({ project }: ProjectView): boolean {
  return project.has.has('catalog')
}

/** @throws {StagecraftError} INVALID_REQUEST if the tables of the warehouse are unknown. */
function assertCatalog(view: ProjectView): void {
  if (hasCatalog(view)) return
  throw StagecraftError.invalid(
    {
      path: 'the project',
      expected: 'raw tables as they are now',
      received: 'those of stagecraft.lock, because the server was started without --catalog',
    },
    { suggestion: 'ask the user to start stagecraft with --catalog' },
  )
}

/** Describes a raw table. */
export const describeTable = defineTool({
  name: 'describe_table',
  title: 'A raw table',
  description:
    'Shows the columns of a raw table of a source: type, nulls, keys, comment. If the rows were profiled, counts are included, but no values.',
  input: { table: z.string().min(1).max(300).describe('shop.orders or source.shop.orders') },
  head: {
    resource: itemSchema,
    known: z.enum(['warehouse', 'lock']),
    rows: count.optional(),
  },
  item: itemSchema.extend({
    type: z.string(),
    nullable: z.boolean(),
    keys: z.array(z.string()).optional(),
    values: z.array(z.string()).optional(),
  }),
  run: (view, { table: wanted }, { allowValues = false }) => {
    const { column, isDeclared, node, table } = findTable(view, wanted)
    const places = new Map(columnsOf(view, node).columns.map((one) => [one.name.toLowerCase(), one]))
    return {
      head: {
        resource: {
          id: node.id,
          kind: node.kind,
          file: node.path,
          line: node.line,
          ...(table.comment !== undefined && { text: table.comment }),
        },
        known: hasCatalog(view) ? ('warehouse' as const) : ('lock' as const),
        ...(table.observed && { rows: table.observed.rows }),
      },
      items: table.columns
        .filter(({ name }) => column === undefined || name === column)
        .map((one) => {
          const place = places.get(one.name.toLowerCase())
          const keys = keysOf(table, one.name)
          const values = allowValues ? valuesOf(table, one.name) : []
          return {
            id: idOfColumn(node, one.name),
            kind: 'column',
            file: place?.path ?? node.path,
            line: place?.line ?? node.line,
            ...(one.comment !== undefined && { text: one.comment }),
            type: one.type,
            nullable: isNullable(table, one),
            ...(keys.length > 0 && { keys: [...keys] }),
            ...(values.length > 0 && { values: [...values] }),
          }
        }),
      notes: [
        ...(hasCatalog(view) ? [] : ['as of the last generation']),
        ...(isDeclared ? [] : ['no source of the project declares it']),
      ],
    }
  },
})

function isNullable({ primaryKey = [] }: Table, { name, nullable = true }: Column): boolean {
  return nullable && !primaryKey.includes(name)
}

/** Returns declared keys, then keys observed in the rows. */
function keysOf(
  { foreignKeys = [], observed, primaryKey = [], uniqueKeys = [] }: Table,
  name: string,
): readonly string[] {
  return [
    ...(primaryKey.includes(name) ? [`primary key (${primaryKey.join(', ')})`] : []),
    ...uniqueKeys.filter((key) => key.includes(name)).map((key) => `unique (${key.join(', ')})`),
    ...foreignKeys
      .filter(({ columns }) => columns.includes(name))
      .map(({ references }) => `references ${references.table.name} (${references.columns.join(', ')})`),
    ...(observed?.key?.columns.includes(name)
      ? [`unique in its rows (${observed.key.columns.join(', ')})`]
      : []),
    ...(observed?.notNull?.includes(name) ? ['no nulls in its rows'] : []),
    ...(observed?.references ?? [])
      .filter(({ columns }) => columns.includes(name))
      .map(
        ({ references }) => `its rows refer to ${references.table.name} (${references.columns.join(', ')})`,
      ),
  ]
}

/** Returns values of rows, only if they are allowed in results. */
function valuesOf({ observed }: Table, name: string): readonly string[] {
  const listed = observed?.values?.find(({ column }) => column === name)?.values ?? []
  const range = observed?.ranges?.find(({ column }) => column === name)
  return [
    ...listed.map(String),
    ...(range?.min === undefined ? [] : [`least ${range.min}`]),
    ...(range?.max === undefined ? [] : [`greatest ${range.max}`]),
  ].slice(0, 50)
}

/** Compares raw tables with the columns that code was generated from. */
export const compareSource = defineTool({
  name: 'compare_source',
  title: 'What changed in raw tables',
  description:
    'Compares raw tables with their state when models were generated: columns added, removed, renamed, retyped, nulls, keys. For one source, source table or staging model, or for all.',
  input: { id: idInput.optional() },
  head: { compared: count },
  item: itemSchema.extend({
    change: z.string(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
  run: (view, { id }) => {
    assertCatalog(view)
    const asked = view.lineage.nodes.filter((node) => node.kind === 'source' && isAsked(view, node, id))
    if (id !== undefined && asked.length === 0) throw notRaw(id)
    const pairs = asked.map((node) => {
      const [source, table] = splitName(node.name)
      const { formerOf, tableOf } = view.project.raw
      return { node, before: formerOf(source, table), after: tableOf(source, table) }
    })
    const known = pairs.filter(({ before }) => before !== undefined)
    return {
      head: { compared: known.length },
      items: known.flatMap(({ after, before, node }) =>
        before === undefined
          ? []
          : after === undefined
            ? [{ id: node.id, kind: 'source', file: node.path, line: node.line, change: 'table is gone' }]
            : compareTables(before, after).map((drift) => itemOf(view, { node }, drift)),
      ),
      notes: pairs
        .filter(({ before }) => before === undefined)
        .map(({ node }) => `${node.name} is not compared: nothing was generated from it`),
    }
  },
})

/** Finds a source by its name, a table, or a model that reads one. */
function isAsked(
  view: ProjectView,
  { id, name }: { readonly id: string; readonly name: string },
  wanted: string | undefined,
): boolean {
  if (wanted === undefined) return true
  const source = wanted.replace(/^source\./, '')
  if (name === source || name.startsWith(`${source}.`)) return true
  if (view.project.index.sources.some((one) => one.name === source)) return false
  const { node } = findResource(view, wanted)
  return node.id === id || view.lineage.edges.some(({ from, to }) => from === id && to === node.id)
}

function itemOf(view: ProjectView, { node }: Found, { after, before, column, kind }: Drift) {
  const known = columnsOf(view, node).columns.find(({ name }) => name === column)
  return {
    id: column === undefined ? node.id : idOfColumn(node, column),
    kind: column === undefined ? 'source' : 'column',
    file: known?.path ?? node.path,
    line: known?.line ?? node.line,
    change: kind,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}

import type { Family } from '@stagecraft/dialects'
import type { Config, Table } from '@stagecraft/spec'
import type { ColumnFacts } from '../project/properties-facts.ts'
import { agreed, type Habit, type Vote } from './habits.ts'
import type { SqlShape } from './read-shape.ts'
import type { Evidence } from './observations.ts'
import type { StagingModel } from './read-staging.ts'

/** Learns how a project writes the SQL and the properties of its staging models. */
export function learnShape({ models, trial }: Evidence, tables: readonly Table[]): readonly Habit[] {
  const shapes = models.map((model, place) => shapeOf(model, tables, trial.families[place] ?? new Map()))
  const votes = (read: (shape: Shape) => string | undefined): readonly Vote[] =>
    shapes.map((shape) => ({ path: shape.path, value: read(shape) }))
  return [
    ...agreed(
      votes(({ commas }) => commas),
      (commas) => ({
        config: { options: { leadingCommas: commas === 'leading' } },
        text: `commas are ${commas}`,
      }),
    ),
    ...agreed(
      votes(({ order }) => order).filter(({ value }) => value !== undefined),
      (order) => ({
        config:
          order === 'other' ? {} : { options: { columnOrder: order === 'groups' ? 'groups' : 'source' } },
        text: ORDERS[order] ?? '',
      }),
    ),
    ...agreed(
      votes(({ ctes }) => ctes),
      cteHabit,
    ),
    ...agreed(
      votes(({ materialized }) => materialized),
      materializationHabit,
    ),
    ...agreed(
      votes(({ keywords }) => keywords),
      (keywords) => ({
        config: {},
        text: `keywords are in ${keywords} case`,
      }),
    ),
    ...agreed(
      votes(({ indent }) => indent),
      (indent) => ({ config: {}, text: `the indent is ${indent} blanks` }),
    ),
    ...learnProperties(models),
  ]
}

interface Shape extends Pick<SqlShape, 'commas' | 'ctes' | 'indent' | 'keywords'> {
  readonly path: string
  /** `source` if columns are in the order of their table; undefined if the table is too small to tell. */
  readonly order: string | undefined
  /** `''` if the model does not set it. */
  readonly materialized: string
}

function shapeOf(
  { identifier, model, pairs, schema, shape }: StagingModel,
  tables: readonly Table[],
  families: ReadonlyMap<string, Family>,
): Shape {
  const table = tables.find((one) => same(one.name ?? '', identifier) && same(one.schema ?? '', schema))
  const raws = pairs.map(({ raw }) => raw)
  return {
    ...shape,
    path: model.path,
    order: table && orderOf(raws, table, families),
    materialized: typeof model.config['materialized'] === 'string' ? model.config['materialized'] : '',
  }
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

const ORDERS: Readonly<Record<string, string>> = {
  source: 'columns are in the order of their table',
  groups: 'columns are grouped: ids, others, flags, times',
  other: 'columns are in an order of their own',
}

/** The share of columns in table order from which a list counts as ordered. */
const IN_ORDER = 0.9

/** The fewest columns that show an order. */
const FEWEST = 4

function orderOf(
  raws: readonly string[],
  { columns }: Table,
  families: ReadonlyMap<string, Family>,
): string | undefined {
  const places = raws
    .map((raw) => columns.findIndex(({ name }) => same(name, raw)))
    .filter((place) => place >= 0)
  if (places.length < FEWEST) return undefined
  const groupOf = (place: number): number => groupIn(columns[place]?.name ?? '', families)
  const isOrdered = (list: readonly number[]): boolean => longestRise(list) >= list.length * IN_ORDER
  const [isStored, isGrouped] = [isOrdered(places), isOrdered(places.map(groupOf))]
  // a table that has its columns in groups itself shows nothing
  if (isStored && isGrouped) return undefined
  if (isStored) return 'source'
  return isGrouped ? 'groups' : 'other'
}

/** Returns the rank of the group that a column belongs to: ids, others, flags, times. */
function groupIn(column: string, families: ReadonlyMap<string, Family>): number {
  const family = families.get(column) ?? ''
  if (/^timestamp|^date$/.test(family)) return 3
  if (family === 'boolean') return 2
  return /(?:^id_|^[pf]k_|id$)/i.test(column) ? 0 : 1
}

/** Returns the length of the longest part of a list that never falls, with gaps. */
function longestRise(list: readonly number[]): number {
  const lengths: number[] = []
  for (const [index, value] of list.entries()) {
    const before = lengths.filter((_, other) => (list[other] ?? value) <= value)
    lengths[index] = Math.max(0, ...before) + 1
  }
  return Math.max(0, ...lengths)
}

function cteHabit(ctes: string): Pick<Habit, 'config' | 'text'> {
  const [source = '', renamed = ''] = ctes.split(' ')
  return {
    config: {},
    text: `common table expressions are called \`${source}\` and \`${renamed}\``,
  }
}

function materializationHabit(materialized: string): Pick<Habit, 'config' | 'text'> {
  const known = (['view', 'table', 'ephemeral'] as const).find((one) => one === materialized)
  if (known)
    return { config: { options: { materialized: known } }, text: `models are materialized as ${known}` }
  return {
    config: {},
    text: materialized === '' ? 'models do not set their materialization' : `models are ${materialized}`,
  }
}

/** Learns tests, descriptions and types, if people describe their models at all. */
function learnProperties(models: readonly StagingModel[]): readonly Habit[] {
  const described = models.flatMap(({ model }) =>
    model.documented && model.documented.columns.length > 0
      ? [{ path: model.path, columns: model.documented.columns }]
      : [],
  )
  const votes = (has: (column: ColumnFacts) => boolean): readonly Vote[] =>
    described.map(({ columns, path }) => ({ path, value: columns.some(has) ? 'yes' : 'no' }))
  const option = (key: 'addTests' | 'addDocs' | 'dataTypes', yes: string, no: string) => (value: string) => {
    const config: Config = { options: { [key]: value === 'yes' } }
    return { config, text: value === 'yes' ? yes : no }
  }
  return [
    ...agreed(
      votes(({ tests = [] }) => tests.length > 0),
      option('addTests', 'columns are tested', 'columns are not tested'),
    ),
    ...agreed(
      votes(({ description = '' }) => description !== ''),
      option('addDocs', 'columns are described', 'columns are not described'),
    ),
    ...agreed(
      votes(({ dataType }) => dataType !== undefined),
      option('dataTypes', 'properties have types', 'properties have no types'),
    ),
    ...learnKeyTests(described),
  ]
}

/** The tests that most models have on their first tested column, usually the key. */
function learnKeyTests(
  described: readonly { readonly path: string; readonly columns: readonly ColumnFacts[] }[],
): readonly Habit[] {
  const votes = described.flatMap(({ columns, path }): readonly Vote[] => {
    const tests = columns.find((column) => (column.tests ?? []).length > 0)?.tests
    const names = (tests ?? []).map((test) =>
      typeof test === 'string' ? test : (Object.keys(test ?? {})[0] ?? ''),
    )
    return tests === undefined ? [] : [{ path, value: names.toSorted().join(' and ') }]
  })
  return agreed(votes, (tests) => ({ config: {}, text: `keys are tested by ${tests}` }))
}

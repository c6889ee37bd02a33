import { DIALECTS } from '@stagecraft/core'
import type { CatalogTable } from '@stagecraft/spec'
import { quoteIdentifier } from '../../packages/core/src/sql/identifiers.ts'
import { AWFUL_NAMES } from '../property/arbitraries.ts'
import type { Engine, TypeCase } from './engine.ts'

/** A table, and its rows as literals of the engine's SQL. */
export interface RawTable {
  readonly table: CatalogTable
  readonly rows: readonly (readonly string[])[]
}

/** Names that engines take and generators stumble over, beside those of all property tests. */
const NAMES: readonly string[] = [
  ...AWFUL_NAMES,
  '--',
  '---------- ids',
  'a--b',
  '/* open',
  '/*! 1 */',
  '#',
  '//',
  '%s',
  '%(name)s',
  '$1',
  ':name',
  '?',
  '@x',
  'x as y',
  'a, b',
  'count(*)',
  '*',
  '""',
  '``',
  "''",
  '\\',
  '\\"',
  '{{ this }}',
  '{% endraw %}',
  '#}',
  'é',
  'e\u0301',
  'ＦＵＬＬ',
  '\u200b',
  '٣',
  '0',
  '1.5',
  'true',
  'from',
  'row',
  'rank',
  'source',
  'renamed',
  'x'.repeat(60),
]

/** Tables of every type, of every name, and called by every name. */
export function rawTables(engine: Engine, schema: string): readonly RawTable[] {
  const names = namesFor(engine)
  const byName = names.map((name, index) => ({ name, ...pick(engine.types, index) }))
  return [
    rawTable(
      schema,
      'every type',
      engine.types.map((type, index) => ({ ...type, name: `c_${index + 1}` })),
    ),
    rawTable(schema, 'every name', byName),
    ...names
      .filter((_, index) => index % (engine.isSlow ? 4 : 1) === 0)
      .map((name, index) => smallTable(schema, name, pick(engine.types, index))),
  ]
}

/** Those that the engine takes and can tell apart. */
function namesFor({ dialect, foldsNames, takes = () => true }: Engine): readonly string[] {
  const { caseSensitive } = DIALECTS[dialect].identifiers
  const fold = (name: string): string => (caseSensitive && foldsNames !== true ? name : name.toLowerCase())
  return [...new Map(NAMES.filter(takes).map((name) => [fold(name), name])).values()]
}

function pick<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('the list is empty')
  return item
}

/** A table called like its column, with one row. */
function smallTable(schema: string, name: string, { type, values }: TypeCase): RawTable {
  return { table: { schema, name, columns: [{ name, type }] }, rows: [[pick(values, 0)]] }
}

type NamedType = TypeCase & { readonly name: string }

/** As many rows as the longest list of values, and one of nulls. */
function rawTable(schema: string, name: string, columns: readonly NamedType[]): RawTable {
  const count = Math.max(...columns.map(({ values }) => values.length))
  const rows = Array.from({ length: count + 1 }, (_, row) =>
    columns.map(({ notNull, values }) => (row < count || notNull ? pick(values, row) : 'null')),
  )
  return { table: { schema, name, columns: columns.map(({ name, type }) => ({ name, type })) }, rows }
}

/** The statements that build a table. */
export function buildStatements({ rows, table }: RawTable, engine: Engine): readonly string[] {
  const quote = (name: string): string => quoteIdentifier(name, DIALECTS[engine.dialect])
  const relation = `${quote(table.schema ?? '')}.${quote(table.name)}`
  const columns = table.columns.map(({ name, type }) => `${quote(name)} ${type}`.trim()).join(', ')
  return [
    `create table ${relation} (${columns}) ${engine.tableOptions ?? ''}`,
    ...rows.map((row) => `insert into ${relation} select ${row.join(', ')}`),
  ]
}

import { DIALECTS } from '@stagecraft/core'
import { quoteIdentifier } from '../../packages/core/src/sql/identifiers.ts'
import { type Column, DIALECT_NAMES, type DialectName, type Table } from '@stagecraft/spec'
import fc from 'fast-check'

/** Names that have broken generators before. */
export const AWFUL_NAMES: readonly string[] = [
  'id',
  'ID',
  'order',
  'select',
  'user',
  'current_date',
  'weird name',
  'a.b',
  'a/b',
  'price$',
  'say "hi"',
  "it's",
  'back`tick',
  'back\\slash',
  '[brackets]',
  '{{ env_var("HOME") }}',
  '{% raw %}',
  '{# note #}',
  '{{{',
  '2fa',
  '-- drop',
  '*/',
  ';',
  'no',
  'null',
  '12:30',
  '1e3',
  '~',
  '&anchor',
  '*alias',
  '!tag',
  '- item',
  'key: value',
  '# comment',
  ' leading',
  'trailing ',
  'new\nline',
  'tab\there',
  'größe',
  '名前',
  '🚀',
  'İstanbul',
  'ﬁ',
  '_',
  '__v',
  '_fivetran_synced',
  '_fivetran_deleted',
  '_sdc_sequence',
  '_sdc_batched_at',
  'created',
  'created_at',
  'createdAt',
  'isActive',
  'a_very_long_column_name_that_fills_all_of_the_sixty_three_bytes',
  '__proto__',
  'constructor',
  'toString',
]

/** Any name a warehouse may hold: neither empty nor with a null character. */
export const anyName: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...AWFUL_NAMES) },
  { weight: 2, arbitrary: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/) },
  {
    weight: 2,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((name) => !name.includes('\0')),
  },
)

export const anyComment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...AWFUL_NAMES),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.lorem({ maxCount: 40 }),
)

export const anyDialect: fc.Arbitrary<DialectName> = fc.constantFrom(...DIALECT_NAMES)

/** A type that the dialect's tables list, with arguments where it takes some. */
function anyType(dialect: DialectName): fc.Arbitrary<string> {
  const names = Object.values(DIALECTS[dialect].types.families).flat()
  return fc.oneof(
    fc.constantFrom(...names),
    fc
      .constantFrom(...names.filter((name) => /^(?:numeric|decimal|number)$/.test(name)))
      .map((name) => `${name}(18,2)`),
  )
}

function anyColumn(dialect: DialectName): fc.Arbitrary<Column> {
  return fc.record(
    {
      name: anyName,
      type: anyType(dialect),
      nullable: fc.boolean(),
      comment: anyComment,
      values: fc.oneof(
        fc.constant<readonly (string | number)[]>(['Y', 'N']),
        fc.constant<readonly (string | number)[]>([0, 1]),
        fc.array(anyName, { minLength: 1, maxLength: 4 }),
      ),
    },
    { requiredKeys: ['name', 'type'] },
  )
}

/** Any table whatever: columns of any name and type, keys over any of them. */
export function anyTable(dialect: DialectName): fc.Arbitrary<Table> {
  const compare = DIALECTS[dialect].identifiers.caseSensitive ? 'SameValue' : undefined
  return fc
    .uniqueArray(anyColumn(dialect), {
      minLength: 1,
      maxLength: 12,
      selector: ({ name }) => (compare ? name : name.toLowerCase()),
    })
    .chain((columns) => {
      const key = fc.subarray(
        columns.map(({ name }) => name),
        { minLength: 1, maxLength: Math.min(3, columns.length) },
      )
      return fc.record(
        {
          columns: fc.constant(columns),
          comment: anyComment,
          primaryKey: key,
          uniqueKeys: fc.array(key, { maxLength: 2 }),
          foreignKeys: fc.array(
            key.map((names) => ({
              columns: names,
              references: { table: { name: 'parent' }, columns: names },
            })),
            { maxLength: 2 },
          ),
        },
        { requiredKeys: ['columns'] },
      )
    })
}

/** A dialect and a table of it. */
export const anyCase: fc.Arbitrary<readonly [DialectName, Table]> = anyDialect.chain((dialect) =>
  anyTable(dialect).map((table) => [dialect, table] as const),
)

/** The dialects whose structs have fields that can be columns, each with the words around those. */
const STRUCTS: readonly (readonly [DialectName, before: string, between: string, after: string])[] = [
  ['athena', 'struct<', ':', '>'],
  ['bigquery', 'STRUCT<', ' ', '>'],
  ['clickhouse', 'Tuple(', ' ', ')'],
  ['databricks', 'struct<', ':', '>'],
  ['duckdb', 'STRUCT(', ' ', ')'],
  ['snowflake', 'OBJECT(', ' ', ')'],
  ['trino', 'row(', ' ', ')'],
]

/** A dialect, and a table of it with a struct whose fields have any names, which may be those of columns and of each other. */
export const anyStruct: fc.Arbitrary<readonly [DialectName, Table]> = fc
  .constantFrom(...STRUCTS)
  .chain(([name, before, between, after]) => {
    const dialect = DIALECTS[name]
    const field = fc
      .tuple(anyName, anyType(name))
      .map(([own, type]) => `${quoteIdentifier(own, dialect)}${between}${type}`)
    const struct = fc
      .array(field, { minLength: 1, maxLength: 5 })
      .map((fields) => `${before}${fields.join(', ')}${after}`)
    return fc.tuple(anyTable(name), struct, fc.nat()).map(([table, type, place]) => {
      const columns = table.columns.map((column, at) =>
        at === place % table.columns.length ? { name: column.name, type } : column,
      )
      return [name, { ...table, columns }] as const
    })
  })

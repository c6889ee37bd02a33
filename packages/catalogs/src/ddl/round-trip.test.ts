import { DIALECTS } from '@stagecraft/dialects'
import type { CatalogTable, Column, DialectName } from '@stagecraft/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSchema } from './read-schema.ts'

/** The spelling of names and texts in a dialect, kept apart from the reader's own rules, which it tests. */
interface Spelling {
  readonly name: (name: string) => string
  readonly text: (text: string) => string
  readonly column: (comment: string) => string
}

const doubled =
  (open: string, close = open) =>
  (text: string): string =>
    open + text.replaceAll(close, close + close) + close
const escaped =
  (quote: string) =>
  (text: string): string =>
    quote + text.replace(/[\\'"]/g, '\\$&').replaceAll('\n', '\\n') + quote

const SPELLINGS: Readonly<Partial<Record<DialectName, Spelling>>> = {
  postgres: { name: doubled('"'), text: doubled("'"), column: () => '' },
  snowflake: {
    name: doubled('"'),
    text: escaped("'"),
    column: (comment) => `comment ${escaped("'")(comment)}`,
  },
  mysql: {
    name: doubled('`'),
    text: escaped("'"),
    column: (comment) => `comment ${doubled("'")(comment.replaceAll('\\', '\\\\'))}`,
  },
  databricks: {
    name: doubled('`'),
    text: escaped("'"),
    column: (comment) => `COMMENT ${escaped('"')(comment)}`,
  },
  sqlserver: { name: doubled('[', ']'), text: (text) => `N${doubled("'")(text)}`, column: () => '' },
  duckdb: { name: doubled('"'), text: doubled("'"), column: () => '' },
  trino: { name: doubled('"'), text: doubled("'"), column: (comment) => `comment ${doubled("'")(comment)}` },
}

const TYPES = [
  'int',
  'numeric(10, 2)',
  'varchar(20)',
  'double precision',
  'timestamp(3) with time zone',
  'text',
]

const awkward = fc.string({
  unit: fc.constantFrom(...`ab_ .,;()[]{}'"\`\\/-*#$:<>=\n ßé`.split('')),
  minLength: 1,
  maxLength: 12,
})
const names = fc.uniqueArray(awkward, { minLength: 1, maxLength: 6, selector: (name) => name.toLowerCase() })

const column = fc.record({
  type: fc.constantFrom(...TYPES),
  isRequired: fc.boolean(),
  comment: awkward,
  values: fc.uniqueArray(awkward, { maxLength: 3 }),
})

test('reads a name in backticks that looks like a variable of sqlcmd', () => {
  const { tables } = readSchema([{ name: 'a.sql', sql: 'create table `$(a)b` (id int);' }], {
    dialect: 'mysql',
  })
  expect(tables).toMatchObject([{ name: '$(a)b' }])
})

test.each(Object.entries(SPELLINGS))('reads back what is printed in the words of %s', (dialect, spelling) => {
  fc.assert(
    fc.property(
      awkward,
      names,
      fc.array(column, { minLength: 6, maxLength: 6 }),
      (table, columnNames, facts) => {
        fc.pre(DIALECTS[dialect as DialectName].ddl.passingNames?.test(table) !== true)
        const columns = columnNames.map((name, index) => ({ name, ...facts[index] }))
        const items = columns.map(({ comment = '', isRequired, name, type, values = [] }) => {
          const list = values.map(spelling.text).join(', ')
          const check = values.length > 0 ? ` check (${spelling.name(name)} in (${list}))` : ''
          return `${spelling.name(name)} ${type}${isRequired ? ' NOT NULL' : ''}${check} ${spelling.column(comment)}`
        })
        const first = spelling.name(columns[0]?.name ?? '')
        const sql = `insert into x values (${spelling.text(table)});
        create table ${spelling.name(table)} (
        ${items.join(',\n')},\n unique (${first}) -- it's a key
      );`
        const wanted: CatalogTable = {
          name: table,
          kind: 'table',
          columns: columns.map(({ comment = '', isRequired, name, type = '', values = [] }): Column => ({
            name,
            type,
            ...(isRequired && { nullable: false }),
            ...(spelling.column('x') !== '' && { comment }),
            ...(values.length > 0 && { values }),
          })),
          uniqueKeys: [[columns[0]?.name ?? '']],
        }
        const read = readSchema([{ name: 'a.sql', sql }], { dialect: dialect as DialectName })
        expect(read).toEqual({ tables: [wanted], faults: [] })
      },
    ),
    { numRuns: 300 },
  )
})

const PIECES =
  String.raw`create table| t |(|)|,|;|a int|primary key|'|"|\`|[|]|$$|/*|*/|--|check|in|references
  alter table|add|constraint|as|begin|end|comment on|is|\\|unique|struct<|>|default|delimiter //|copy x from stdin|\\.
  GO|not null|1.5|é|drop table|create type|as enum|create trigger|exec|set search_path|use|like|x.y|alter column`.split(
    /\||(?<=\n)/,
  )

test('reads any text, or reports where it cannot', () => {
  const pieces = fc.constantFrom(...PIECES)
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 40 }),
      fc.constantFrom<DialectName | undefined>(undefined, 'mysql', 'sqlserver', 'bigquery'),
      (parts, dialect) => {
        const { faults } = readSchema([{ name: 'a.sql', sql: parts.join(' ') }], { dialect })
        for (const { expected, line, received } of faults) {
          expect([expected, received].every((text) => text.length > 0) && (line ?? 0) > 0).toBe(true)
        }
      },
    ),
    { numRuns: 3000 },
  )
})

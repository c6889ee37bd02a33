import { DIALECTS } from '@stagecraft/core'
import type { CatalogTable, Config, DialectName } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { escapeText } from '../../packages/core/src/sql/identifiers.ts'
import { describeOn, schemaOf, type Session } from './engine.ts'
import { ENGINES } from './engines.ts'
import { countFailures, generateModels } from './project.ts'
import { relationOf } from './stage.ts'
import { inEngine, loadTable } from './truth-tables.ts'

/** A value, where texts are quoted for the engine. */
type Value = string | number | null

interface Table {
  readonly table: CatalogTable
  readonly rows: readonly (readonly Value[])[]
}

/** What texts of a list of values need escapes for. */
const STATES = ['open', "it's", 'a\\b', '12:30', '#{no}', 'no']

const CUSTOMERS: Table = {
  table: {
    name: 'customers',
    columns: [
      { name: 'id', type: 'BIGINT', nullable: false },
      { name: 'email', type: 'VARCHAR' },
      { name: 'state', type: 'VARCHAR', values: STATES },
      { name: 'grade', type: 'INTEGER', values: [1, 2, 3] },
      { name: 'display_name', type: 'VARCHAR', nullable: false },
    ],
    primaryKey: ['id'],
    uniqueKeys: [['email']],
  },
  rows: [
    [1, 'a@example.com', 'open', 1, 'Ann'],
    [2, 'b@example.com', "it's", 2, 'Ben'],
    [3, null, 'a\\b', 3, 'Cem'],
    [4, null, '12:30', null, 'Dan'],
    [5, 'e@example.com', '#{no}', 1, 'Eve'],
    [6, 'f@example.com', null, 1, 'Flo'],
    [7, 'g@example.com', 'no', 1, 'Gus'],
  ],
}

const LINES: Table = {
  table: {
    name: 'order_lines',
    columns: [
      { name: 'code', type: 'VARCHAR', nullable: false },
      { name: 'part', type: 'VARCHAR', nullable: false },
      { name: 'Placed At', type: 'TIMESTAMP', nullable: false },
      { name: 'customer_id', type: 'BIGINT' },
    ],
    primaryKey: ['code', 'part', 'Placed At'],
    foreignKeys: [
      { columns: ['customer_id'], references: { table: { name: 'customers' }, columns: ['id'] } },
    ],
  },
  rows: [
    // Joined without lengths, the first two are one.
    ['a|', 'b', '2024-01-01 00:00:00', 1],
    ['a', '|b', '2024-01-01 00:00:00', 2],
    ['a', '|b', '2024-01-01 00:00:01', null],
    ['ä', ' b', '2024-01-01 00:00:00', 7],
  ],
}

/** Rows that break each rule a known number of times. */
const BROKEN: Readonly<Record<string, Table['rows']>> = {
  customers: [
    [1, 'z@example.com', 'open', 1, 'Ann again'],
    [null, 'y@example.com', 'gone', 9, 'Nobody'],
    [8, 'a@example.com', 'gone', 8, null],
    [9, 'a@example.com', "it''s", 8, null],
  ],
  order_lines: [
    ['a|', 'b', '2024-01-01 00:00:00', 98],
    ['x', 'y', '2024-01-02 00:00:00', 99],
    ['x', 'y', '2024-01-02 00:00:00', 99],
    ['x', 'y', '2024-01-02 00:00:00', null],
  ],
}

const FAILURES = [
  'customers accepted_values grade: 2',
  'customers accepted_values state: 2',
  'customers not_null customer_id: 1',
  'customers not_null display_name: 2',
  'customers unique customer_id: 1',
  'customers unique email: 1',
  'order_lines not_null code: 0',
  'order_lines not_null placed_at: 0',
  'order_lines not_null part: 0',
  'order_lines relationships customer_id: 3',
]
const MINUTE = 60_000

const COMBINATION = 'dbt_utils.unique_combination_of_columns'

interface Style {
  readonly config: Config
  /** The test of the key of three columns. */
  readonly key: string
  /** Where names are not those that the rules give. */
  readonly names?: Readonly<Record<string, string>>
}

const STORED = {
  'not_null customer_id': 'not_null id',
  'unique customer_id': 'unique id',
  placed_at: 'Placed At',
}

const STYLES: readonly (readonly [string, Style])[] = [
  ['without packages', { config: {}, key: 'unique' }],
  ['with dbt_utils', { config: { packages: ['dbt_utils'] }, key: COMBINATION }],
  ['of stored names', { config: { naming: { columns: 'keep' } }, key: 'unique', names: STORED }],
  [
    'of stored names, with dbt_utils',
    { config: { naming: { columns: 'keep' }, packages: ['dbt_utils'] }, key: COMBINATION, names: STORED },
  ],
]

/** The failures that a style should find. */
function expectedOf({ key, names = {} }: Style): readonly string[] {
  const spell = (line: string): string =>
    Object.entries(names).reduce((text, [name, stored]) => text.replace(name, stored), line)
  return [`order_lines ${key}: 2`, ...FAILURES.map(spell)].toSorted()
}

for (const engine of ENGINES) {
  describeOn(engine, () => {
    let session: Session | undefined
    beforeAll(async () => {
      session = await engine.open()
    }, MINUTE)
    afterAll(() => session?.close())

    test.each(STYLES)('data tests %s find the rows that break them and no others', async (_, style) => {
      if (!session) throw new Error('there is no session')
      const raw = [CUSTOMERS, LINES].map(({ rows, table }) => ({
        table: inEngine(table, engine),
        rows: literals(rows, engine.dialect),
      }))
      const tables = raw.map(({ table }) => table)
      const place = { dialect: engine.dialect, session, schema: schemaOf(engine) }
      const models = generateModels(tables, engine.dialect, style.config)
      try {
        for (const one of raw) await loadTable(one, engine, session)
        const kept = await countFailures(models, place)
        expect(kept.filter((line) => !line.endsWith(': 0'))).toEqual([])
        for (const table of tables)
          for (const row of literals(BROKEN[table.name] ?? [], engine.dialect))
            await session.run(`insert into ${relationOf(table, engine.dialect)} values (${row.join(', ')})`)
        const broken = await countFailures(models, place)
        const found = broken.map((line) => line.replace(/^stg_\w+?__|["`]/g, ''))
        expect(found.toSorted()).toEqual(expectedOf(style))
      } finally {
        for (const table of tables)
          await session.run(`drop table if exists ${relationOf(table, engine.dialect)}`)
      }
    })
  })
}

function literals(rows: Table['rows'], dialect: DialectName): readonly (readonly string[])[] {
  const print = (value: Value): string =>
    typeof value === 'string' ? `'${escapeText(value, DIALECTS[dialect])}'` : String(value)
  return rows.map((row) => row.map(print))
}

// What the rows keep, found on every engine by the statements that `profile --print-sql` prints for it.
import { DIALECTS } from '@stagecraft/core'
import {
  NO_ANSWERS,
  observeRecorded,
  type RecordedObserved,
  type ResultRow,
} from '@stagecraft/core/inference'
import { type CatalogTable, DIALECT_NAMES } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { acceptAll } from '../accepted.ts'
import { sqlFault } from '../oracle.ts'
import { AWFUL_NAMES } from '../property/arbitraries.ts'
import { describeOn, type Engine, schemaOf, type Session } from './engine.ts'
import { ENGINES } from './engines.ts'
import { countFailures, generateModels } from './project.ts'
import { loadTable, truthTables } from './truth-tables.ts'

const MINUTES = 60_000
/** The statements after which nothing may be left to ask: profiles, lists, checks of keys and of references. */
const ROUNDS = 5

test.each(DIALECT_NAMES)('a parser reads the statements for every awful name in %s', async (dialect) => {
  const { types } = DIALECTS[dialect]
  const spelled = Object.values(types.families).map(([first = '']) => first)
  const columns = AWFUL_NAMES.map((name, at) => ({ name, type: spelled[at % spelled.length] ?? '' }))
  const table: CatalogTable = { schema: 'raw', name: 'every name', columns }
  const { open } = await observeRecorded([table], { dialect: DIALECTS[dialect], answers: NO_ANSWERS })
  const faults = await Promise.all(open.map(({ sql }) => sqlFault(sql, dialect)))
  expect(faults.filter((fault) => fault !== undefined)).toEqual([])
  expect(open.length).toBeGreaterThan(0)
})

/** The keys and references of the database, and the only list that its rows show. */
const FOUND = {
  rows: {
    customers: 392,
    inventory: 566,
    order_items: 3914,
    orders: 1950,
    products: 46,
    shipments: 1892,
    stores: 23,
  },
  keys: [
    'customers (customer_id) by data',
    'inventory (inventory_id) by data',
    'order_items (order_id, line_item_id) by data',
    'orders (order_id) by data',
    'products (product_id) by data',
    'shipments (shipment_id) by data',
    'stores (store_id) by data',
  ],
  references: [
    'inventory (store_id) -> stores (store_id) by data',
    'inventory (product_id) -> products (product_id) by data',
    'order_items (order_id) -> orders (order_id) by data',
    'order_items (product_id) -> products (product_id) by data',
    'order_items (shipment_id) -> shipments (shipment_id) by data',
    'orders (customer_id) -> customers (customer_id) by data',
    'orders (store_id) -> stores (store_id) by data',
    'shipments (store_id) -> stores (store_id) by data',
    'shipments (customer_id) -> customers (customer_id) by data',
  ],
  values: ['orders.order_status: CANCELLED, COMPLETE, REFUNDED'],
}

for (const engine of ENGINES) {
  describeOn(engine, () => {
    test.each(engine.isSlow ? ['oracle_hr'] : ['oracle_co', 'northwind', 'chinook'])(
      'all tests that the rows of %s call for hold on them, also with all suggestions accepted',
      async (database) => {
        const session = await engine.open()
        try {
          const raw = await truthTables(database, engine)
          for (const table of raw) await loadTable(table, engine, session)
          const hidden = raw.map(({ table }) => withoutKeys(table))
          const { inference, tables } = await observeOn(session, hidden, engine)
          for (const config of [{}, acceptAll(inference)]) {
            const models = generateModels(tables, engine.dialect, config)
            const found = await countFailures(models, {
              dialect: engine.dialect,
              session,
              schema: schemaOf(engine),
            })
            expect(found.filter((line) => !line.endsWith(': 0'))).toEqual([])
            const kinds = new Set(models.flatMap(({ tests }) => tests.map(({ kind }) => kind)))
            expect([...kinds]).toEqual(expect.arrayContaining(['unique', 'not_null', 'relationships']))
            expect(found.length).toBeGreaterThan(2 * tables.length)
          }
        } finally {
          await session.close()
        }
      },
      10 * MINUTES,
    )

    test(
      'keys, references and lists are found by the answers to printed statements',
      async () => {
        const session = await engine.open()
        try {
          const raw = await truthTables('oracle_co', engine)
          for (const table of raw) await loadTable(table, engine, session)
          const hidden = raw.map(({ table }) => withoutKeys(table))
          expect(describe(await observeOn(session, hidden, engine))).toEqual(FOUND)
        } finally {
          await session.close()
        }
      },
      10 * MINUTES,
    )
  })
}

function withoutKeys({ columns, name, schema }: CatalogTable): CatalogTable {
  return {
    ...(schema !== undefined && { schema }),
    name,
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
  }
}

/** Answers what is asked until nothing is open. */
async function observeOn(
  session: Session,
  tables: readonly CatalogTable[],
  { dialect }: Engine,
): Promise<RecordedObserved> {
  const answers = new Map<string, readonly ResultRow[]>()
  // The session of SQLite puts the type of each value in front.
  const bare = (value: string | null | undefined): string | null | undefined =>
    dialect === 'sqlite' ? value?.replace(/^\w+ /, '') : value
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await observeRecorded(tables, {
      dialect: DIALECTS[dialect],
      answers: { ...NO_ANSWERS, rows: answers },
    })
    if (found.open.length === 0) return found
    for (const { id, sql } of found.open) {
      const { columns, rows } = await session.query(sql)
      answers.set(
        id,
        rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, bare(row[at])]))),
      )
    }
  }
  throw new Error(`after ${ROUNDS} rounds there are still statements to answer`)
}

function describe({ inference, tables }: RecordedObserved): object {
  return {
    rows: Object.fromEntries(tables.map(({ name, observed }) => [name, observed?.rows])),
    keys: inference.keys.map(
      ({ columns, origin, table }) => `${table.name} (${columns.join(', ')}) by ${origin}`,
    ),
    references: inference.references.map(
      ({ child, origin, parent }) =>
        `${child.table.name} (${child.columns.join(', ')}) -> ${parent.table.name} (${parent.columns.join(', ')}) by ${origin}`,
    ),
    values: tables.flatMap(({ name, observed }) =>
      (observed?.values ?? []).map(({ column, values }) => `${name}.${column}: ${values.join(', ')}`),
    ),
  }
}

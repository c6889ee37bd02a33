import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { LOADERS, type LoaderPack } from '@stagecraft/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSources } from './sources/sources.ts'
import { buildWarehouse, type WarehouseSummary } from './warehouse.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-demo-'))
const path = join(folder, 'first', 'warehouse.duckdb')
const again = join(folder, 'second', 'warehouse.duckdb')
const sources = createSources()
const tables = sources.flatMap(({ loader, schema, tables }) =>
  tables.map((table) => ({ ...table, loader, schema, path: `"${schema}"."${table.name}"` })),
)

let summary: WarehouseSummary
let opened: Opened

beforeAll(async () => {
  summary = await buildWarehouse(path)
  opened = await open(path)
})

afterAll(() => {
  opened.close()
  rmSync(folder, { recursive: true })
})

describe('the build', () => {
  test('creates the same rows every time', async () => {
    await buildWarehouse(again)
    const second = await open(again)
    const sums = async (connection: DuckDBConnection): Promise<readonly string[]> =>
      Promise.all(tables.map(async (table) => `${table.path} ${await checksum(connection, table.path)}`))
    expect(await sums(opened.connection)).toEqual(await sums(second.connection))
    second.close()
  })

  test('reports the tables that it wrote', async () => {
    const counted = sources.map(async ({ loader, schema }) => {
      const ofSchema = tables.filter((table) => table.schema === schema)
      const counts = ofSchema.map((table) => numberFrom(`select count(*) from ${table.path}`))
      const rows = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
      return { schema, tables: ofSchema.length, rows, loader }
    })
    expect(summary).toEqual(await Promise.all(counted))
    expect(await numberFrom('select count(*) from duckdb_tables()')).toBe(tables.length)
    expect(tables.length).toBeGreaterThanOrEqual(28)
  })

  test('stays small', () => {
    expect(statSync(path).size).toBeLessThan(10_000_000)
  })

  test('leaves no other files', () => {
    expect(readdirSync(join(folder, 'first'))).toEqual(['warehouse.duckdb'])
  })

  test('refuses to overwrite a file', async () => {
    const taken = join(folder, 'taken.duckdb')
    writeFileSync(taken, 'mine')
    await expect(buildWarehouse(taken)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(statSync(taken).size).toBe(4)
  })

  test('leaves no file if it fails', async () => {
    const blocked = join(folder, 'blocked.duckdb')
    mkdirSync(`${blocked}.building`)
    await expect(buildWarehouse(blocked)).rejects.toThrow('directory')
    expect(existsSync(blocked)).toBe(false)
  })
})

describe('keys', () => {
  test.each(tables)('are never null in $path', async ({ key, path }) => {
    const missing = key.map((column) => `"${column}" is null`).join(' or ')
    expect(await numberFrom(`select count(*) from ${path} where ${missing}`)).toBe(0)
  })

  test.each(tables)('identify one newest row in $path', async ({ key, loader, path }) => {
    const pack = LOADERS.find(({ title }) => title === loader)
    const columns = await columnsOf(path)
    const versions = (pack?.loadMode === 'append' ? pack.versions : []).filter(({ column }) =>
      columns.includes(column),
    )
    const group = [...key, ...versions.map(({ column }) => column)].map((column) => `"${column}"`).join(', ')
    const ties = `select ${group} from ${path} group by ${group} having count(*) > 1`
    expect(await numberFrom(`select count(*) from (${ties})`)).toBe(0)
  })
})

describe('loaders', () => {
  test.each(tables.filter(({ loader, name }) => loader !== 'none' && name !== '_dlt_loads'))(
    '$loader is recognized by the columns of $path',
    async ({ loader, path }) => {
      const columns = await columnsOf(path)
      const isThere = (sign: string | RegExp): boolean =>
        columns.some((column) => (typeof sign === 'string' ? sign === column : sign.test(column)))
      const isSigned = ({ signs: { all = [], any } }: LoaderPack): boolean =>
        all.every(isThere) && (any?.some(isThere) ?? true)
      expect(LOADERS.find(isSigned)?.title).toBe(loader)
    },
  )

  test.each(tables.filter(({ loader }) => loader === 'Stitch' || loader === 'Segment'))(
    '$loader has several versions of a row in $path',
    async ({ path }) => {
      expect(await numberFrom(`select count(*) - count(distinct id) from ${path}`)).toBeGreaterThan(0)
    },
  )

  test.each(['shopify.customer', 'shopify.orders', 'shopify.product', 'shopify.location'])(
    'Fivetran flagged deleted rows in %s',
    async (table) => {
      expect(await numberFrom(`select count(*) from ${table} where _fivetran_deleted`)).toBeGreaterThan(0)
      expect(await numberFrom(`select count(*) from ${table} where not _fivetran_deleted`)).toBeGreaterThan(0)
    },
  )

  test.each(['crm.accounts', 'crm.contacts', 'crm.opportunities', 'crm.tasks'])(
    'Stitch dated deleted rows in %s',
    async (table) => {
      const newest = `select * from ${table} qualify row_number() over (partition by id order by _sdc_sequence desc) = 1`
      const deleted = `select count(*) from (${newest}) where _sdc_deleted_at is not null`
      expect(await numberFrom(deleted)).toBeGreaterThan(0)
    },
  )

  test('dlt finished every load', async () => {
    const orphans = `select count(*) from marketing.ad_spend where _dlt_load_id not in (select load_id from marketing._dlt_loads where status = 0)`
    expect(await numberFrom(orphans)).toBe(0)
  })
})

describe('references', () => {
  test.each([
    ['shopify.orders', 'customer_id', 'shopify.customer', 'id'],
    ['shopify.orders', 'location_id', 'shopify.location', 'id'],
    ['shopify.order_line', 'order_id', 'shopify.orders', 'id'],
    ['shopify.order_line', 'variant_id', 'shopify.product_variant', 'id'],
    ['shopify.product_variant', 'product_id', 'shopify.product', 'id'],
    ['shopify.inventory_level', 'inventory_item_id', 'shopify.product_variant', 'inventory_item_id'],
    ['shopify.collection_product', 'collection_id', 'shopify.collection', 'id'],
    ['shopify.customer', 'default_address_id', 'shopify.customer_address', 'id'],
    ['shopify.fulfillment', 'order_id', 'shopify.orders', 'id'],
    ['shopify.refund', 'order_id', 'shopify.orders', 'id'],
    ['shopify.order_line_refund', 'order_line_id', 'shopify.order_line', 'id'],
    ['shopify.order_line_refund', 'refund_id', 'shopify.refund', 'id'],
    ['stripe.charges', 'customer', 'stripe.customers', 'id'],
    ['stripe.charges', 'invoice', 'stripe.invoices', 'id'],
    ['stripe.charges', 'balance_transaction', 'stripe.balance_transactions', 'id'],
    ['stripe.invoices', 'subscription', 'stripe.subscriptions', 'id'],
    ['stripe.refunds', 'charge', 'stripe.charges', 'id'],
    ['stripe.payouts', 'balance_transaction', 'stripe.balance_transactions', 'id'],
    ['crm.accounts', 'parentid', 'crm.accounts', 'id'],
    ['crm.contacts', 'accountid', 'crm.accounts', 'id'],
    ['crm.opportunities', 'accountid', 'crm.accounts', 'id'],
    ['crm.opportunities', 'ownerid', 'crm.users', 'id'],
    ['crm.tasks', 'whoid', 'crm.contacts', 'id'],
    ['crm.tasks', 'whatid', 'crm.opportunities', 'id'],
    ['web.order_completed', 'id', 'web.tracks', 'id'],
    ['web.order_completed', 'order_id', 'shopify.orders', 'id'],
    ['marketing.campaigns__ads', '_dlt_parent_id', 'marketing.campaigns', '_dlt_id'],
    ['marketing.ad_spend', 'campaign_id', 'marketing.campaigns', 'id'],
  ])('%s.%s is in %s.%s', async (child, column, parent, key) => {
    const orphans = `select count(*) from ${child} where cast(${column} as varchar) not in (select cast(${key} as varchar) from ${parent})`
    expect(await numberFrom(orphans)).toBe(0)
    expect(await numberFrom(`select count(${column}) from ${child}`)).toBeGreaterThan(0)
  })
})

describe('the hand-made source', () => {
  test('declares constraints of every kind', async () => {
    const counted = await rowsOf(
      `select constraint_type, count(*) from duckdb_constraints() where schema_name = 'erp' group by all`,
    )
    const counts = new Map(counted.map(([kind, count]) => [kind, Number(count)]))
    expect(counts.get('PRIMARY KEY')).toBe(tables.filter(({ schema }) => schema === 'erp').length)
    expect(counts.get('FOREIGN KEY')).toBeGreaterThan(15)
    expect(counts.get('CHECK')).toBeGreaterThan(15)
    expect(counts.get('UNIQUE')).toBeGreaterThan(5)
  })

  test('has keys of several columns, and one that refers to such a key', async () => {
    const composite = `select constraint_type from duckdb_constraints() where schema_name = 'erp' and len(constraint_column_names) > 1`
    const kinds = (await rowsOf(composite)).map(([kind]) => kind)
    expect(kinds).toContain('PRIMARY KEY')
    expect(kinds).toContain('FOREIGN KEY')
  })

  test('has a column of every unusual type', async () => {
    const listed = await rowsOf(`select distinct data_type from duckdb_columns() where schema_name = 'erp'`)
    const types = listed.map(([type]) => String(type))
    for (const type of [
      'UUID',
      'BLOB',
      'TIME',
      'INTERVAL',
      'JSON',
      'TIMESTAMP WITH TIME ZONE',
      'INTEGER[]',
    ]) {
      expect(types).toContain(type)
    }
    for (const type of ['STRUCT(', 'MAP(', 'ENUM(', 'DECIMAL(']) {
      expect(types.some((name) => name.startsWith(type))).toBe(true)
    }
  })

  test('keeps comments as they were written', async () => {
    const [[comment] = []] = await rowsOf(
      `select comment from duckdb_columns() where table_name = 'items' and column_name = 'unitPrice'`,
    )
    expect(comment).toBe('List price in US dollars, "net" of tax: see {{ price_list }}')
  })

  test('answers from its views', async () => {
    expect(await numberFrom('select count(*) from erp.stock_on_hand')).toBeGreaterThan(0)
    expect(await numberFrom('select count(*) from erp."open orders"')).toBeGreaterThan(0)
  })
})

interface Opened {
  readonly connection: DuckDBConnection
  readonly close: () => void
}

async function open(file: string): Promise<Opened> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  return {
    connection,
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function rowsOf(query: string): Promise<readonly (readonly unknown[])[]> {
  return (await opened.connection.run(query)).getRowsJson()
}

async function numberFrom(query: string): Promise<number> {
  const [[value] = []] = await rowsOf(query)
  return Number(value)
}

async function columnsOf(table: string): Promise<readonly string[]> {
  return (await opened.connection.run(`from ${table} limit 0`)).columnNames()
}

async function checksum(connection: DuckDBConnection, table: string): Promise<string> {
  const rows = await (await connection.run(`select cast(t as varchar) from ${table} as t`)).getRowsJson()
  const lines = rows.map(([row]) => JSON.stringify(row)).toSorted()
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

// The folders of a reader in which the shell blocks of how-to guides and reference pages are run.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { newAdminKey, startService } from '../service/start-service.ts'

/**
 * Tables in files and in a database; a dbt project over such tables with a model that nobody generated; or the store of
 * a service.
 */
export type ReaderFolder = 'tables' | 'project' | 'store'

const ORDERS = ['id', 'customer_id', 'status', 'paid_yn', 'amount', 'tax']

/** A columns file, in which the orders may have got another column. */
function columnsFile(...added: readonly string[]): string {
  const place = { database: 'raw', schema: 'shop', primaryKey: ['id'] }
  return JSON.stringify({
    dialect: 'duckdb',
    tables: [
      { ...place, name: 'customers', columns: columns('id', 'email') },
      { ...place, name: 'orders', columns: columns(...ORDERS, ...added) },
    ],
  })
}

function columns(...names: readonly string[]): readonly object[] {
  const typeOf = (name: string): string => (/id$|amount|tax/.test(name) ? 'integer' : 'varchar')
  return names.map((name) => ({ name, type: typeOf(name), ...(name === 'id' && { nullable: false }) }))
}

const PROJECT = {
  'stagecraft.yml': 'catalog: columns.yml\nsources: { shop: {} }\n',
  'dbt_project.yml': 'name: reader\nversion: "1.0"\n',
  'warehouse/dbt/dbt_project.yml': 'name: inner\nversion: "1.0"\n',
  'schema.sql': '-- dialect: duckdb\ncreate table shop.orders (id integer, amount integer);\n',
  'models/staging/shop/_sources.yml':
    'sources:\n  - name: shop\n    schema: shop\n    tables: [{ name: customers }, { name: orders }]\nexposures:\n  - name: weekly\n    type: dashboard\n    owner: { name: Sales }\n    depends_on: [ref("fct_orders")]\n',
  'models/staging/shop/stg_shop__customers.sql':
    "select id as customer_id, email as customer_email from {{ source('shop', 'customers') }}\n",
  'models/marts/finance/fct_orders.sql':
    "{{ config(materialized='incremental', tags=['nightly']) }}\nselect order_id, customer_id, amount + tax as total from {{ ref('stg_shop__orders') }}\n",
  'macros/cents_to_units.sql': '{% macro cents_to_units(column) %}{{ column }} / 100{% endmacro %}\n',
} as const

const ROWS = `
  create schema shop; create schema crm;
  create table shop.customers as select i as id, 'c' || i || '@example.com' as email from range(1, 50) r(i);
  create table shop.orders as select i as id, 1 + i % 49 as customer_id, ['new', 'paid', 'shipped'][1 + i % 3] as status,
    ['Y', 'N'][1 + i % 2] as paid_yn, 100 + i as amount, i % 7 as tax from range(1, 200) r(i);
  create table crm.accounts as select i as id, 'n' || i as name from range(1, 30) r(i);`

/**
 * Fills a folder.
 *
 * @param run Runs the program in it.
 */
export async function fillReaderFolder(
  folder: string,
  kind: ReaderFolder,
  run: (...parameters: readonly string[]) => void,
): Promise<void> {
  if (kind === 'store') {
    const service = await startService({ folder: join(folder, '.stagecraft/data'), adminKey: newAdminKey() })
    await service.stop()
    return
  }
  write(folder, 'columns.yml', columnsFile())
  await createWarehouse(join(folder, 'raw.duckdb'))
  if (kind === 'tables') {
    mkdirSync(join(folder, '.stagecraft-demo'))
    copyFileSync(join(folder, 'raw.duckdb'), join(folder, '.stagecraft-demo/warehouse.duckdb'))
    write(folder, 'answers/answer.json', '[]')
    return
  }
  for (const [path, text] of Object.entries(PROJECT)) write(folder, path, text)
  run('apply', 'raw.shop.orders')
  write(folder, 'columns.yml', columnsFile('note'))
  for (const command of [['init'], ['add', '--all'], ['commit', '--message', 'Start']])
    execFileSync(
      'git',
      ['-c', 'user.name=Reader', '-c', 'user.email=reader@example.com', '-C', folder, ...command],
      {
        stdio: 'ignore',
      },
    )
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

async function createWarehouse(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(ROWS)
  connection.closeSync()
  instance.closeSync()
}

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithServer, postgresServer } from '../servers.ts'
import { runWarm } from './run-cli.ts'

// A warehouse that is not at hand: printed statements, their answers in a file, and the project that is made of them.

const TABLES = [
  'create table customers (customer_id integer, name varchar(40), contact varchar(40))',
  "insert into customers select n, 'n' || n % 9, 'a' || n || '@b.example' from generate_series(1, 150) t(n)",
  `create table orders (id integer, customer_id integer, status varchar(10), paid_flag varchar(1), quantity integer,
    "Odd ""name" integer)`,
  `insert into orders select n + 1000, n % 60 + 1, case n % 3 when 0 then 'open' when 1 then 'closed' else 'on hold' end,
    case when n % 4 = 0 then 'Y' else 'N' end, n % 7, 1 from generate_series(1, 400) t(n)`,
  'create table order_lines (order_id integer, line_number integer, note varchar(10))',
  `insert into order_lines select o + 1000, l, null from generate_series(1, 50) a(o), generate_series(1, 3) b(l)`,
  'create table nobody (id integer)',
]

const COLUMNS: Readonly<Record<string, string>> = {
  customers: 'customer_id integer, name varchar(40), contact varchar(40)',
  orders:
    'id integer, customer_id integer, status varchar(10), paid_flag varchar(1), quantity integer, "Odd ""name" integer',
  order_lines: 'order_id integer, line_number integer, note varchar(10)',
  nobody: 'id integer',
}

/** Runs one statement, and returns rows as JSON can hold them. */
type Ask = (sql: string) => Promise<readonly object[]>

function toCsv(rows: readonly object[]): string {
  const cells = rows.map((row) =>
    Object.values(row).map((one) => (one === null ? '' : JSON.stringify(String(one)))),
  )
  return [Object.keys(rows[0] ?? {}), ...cells].map((row) => `${row.join(',')}\n`).join('')
}

/** The models of a project and their properties. Sources spell types as the catalog does. */
function modelsIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const models = paths.filter((path) => /\.sql$|__models\.yml$/.test(path))
  return Object.fromEntries(models.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-answers-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function succeed(parameters: readonly string[], own: string): Promise<string> {
  const { code, stderr, stdout } = await runWarm(parameters, { folder: own })
  expect({ code, ...(code !== 0 && { stderr }) }).toEqual({ code: 0 })
  return stdout
}

interface Warehouse {
  readonly address: string
  readonly dialect: 'duckdb' | 'postgres'
  readonly schema: string
  readonly ask: Ask
}

async function generated(own: string, name: string, parameters: readonly string[]): Promise<object> {
  await succeed(['generate', ...parameters, '--out', name], own)
  return modelsIn(join(own, name))
}

function behaviour(warehouse: () => Warehouse): void {
  test('what the answers show makes the same project as the rows themselves, from DDL and from a columns file', async () => {
    const { address, ask, dialect, schema } = warehouse()
    const own = join(folder, dialect)
    mkdirSync(own)
    const ddl = Object.entries(COLUMNS).map(
      ([name, columns]) => `create table ${schema}.${name} (${columns});\n`,
    )
    writeFileSync(join(own, 'schema.sql'), ddl.join(''))
    const far = ['--catalog', 'schema.sql', '--dialect', dialect]
    const all = `${schema}.*`
    const rows: object[] = []
    let saved = 0
    mkdirSync(join(own, 'answers'))
    let rounds = 0
    for (let sql = await succeed(['profile', all, ...far, '--print-sql'], own); sql !== ''; rounds += 1) {
      for (const statement of sql.split(/;\n+/).filter(Boolean)) {
        const answer = await ask(statement)
        rows.push(...answer)
        writeFileSync(join(own, 'answers', `download (${saved++}).csv`), toCsv(answer))
      }
      writeFileSync(join(own, 'answers.json'), JSON.stringify(rows))
      sql = await succeed(['profile', all, ...far, '--from', 'answers.json', '--print-sql'], own)
    }
    expect(rounds).toBeLessThan(5)

    const live = await generated(own, 'live', [all, '--catalog', address, '--profile'])
    expect(await generated(own, 'told', [all, ...far, '--profile-from', 'answers.json'])).toEqual(live)
    // the same as CSV: a file for each statement, or one for all
    expect(await generated(own, 'csv', [all, ...far, '--profile-from', 'answers/'])).toEqual(live)
    const files = readdirSync(join(own, 'answers')).map((name) =>
      readFileSync(join(own, 'answers', name), 'utf8'),
    )
    writeFileSync(join(own, 'all.csv'), files.join(''))
    expect(await generated(own, 'one', [all, ...far, '--profile-from', 'all.csv'])).toEqual(live)
    expect(await generated(own, 'names', [all, ...far])).not.toEqual(live)
    const text = Object.values(live).join('')
    for (const name of ['unique', 'not_null', 'accepted_values', 'relationships'])
      expect(text).toMatch(new RegExp(`- ${name}\\b`))
    // what leads nowhere: no address leaves with the answers, and none is in the project
    expect(readFileSync(join(own, 'answers.json'), 'utf8') + text).not.toContain('@b.example')

    const profile = await succeed(['profile', all, ...far, '--from', 'answers.json', '--json'], own)
    const tables = (JSON.parse(profile) as readonly { readonly table: object }[]).map(({ table }) => table)
    writeFileSync(join(own, 'columns.json'), JSON.stringify({ dialect, tables }))
    expect(await generated(own, 'columns', [all, '--catalog', 'columns.json', '--dialect', dialect])).toEqual(
      live,
    )
  })
}

describe('DuckDB', () => {
  const path = join(folder, 'raw.duckdb')
  beforeAll(async () => {
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    for (const sql of TABLES) await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
  })
  const ask: Ask = async (sql) => {
    const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
    const connection = await instance.connect()
    try {
      return (await connection.runAndReadAll(sql)).getRowObjectsJson()
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  }
  behaviour(() => ({ address: `duckdb:${path}`, dialect: 'duckdb', schema: 'main', ask }))
})

const server = await postgresServer()
describeWithServer('PostgreSQL', server, () => {
  const name = `stagecraft_${crypto.randomUUID().slice(0, 8)}`
  const address = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  const run = async (where: string, ...all: readonly string[]): Promise<readonly object[]> => {
    const client = new pg.Client({ connectionString: where })
    await client.connect()
    try {
      let rows: readonly object[] = []
      for (const sql of all) ({ rows } = await client.query<Record<string, unknown>>(sql))
      return rows
    } finally {
      await client.end()
    }
  }
  beforeAll(async () => {
    await run(server.url, `create database ${name}`)
    await run(address, ...TABLES)
  })
  afterAll(() => run(server.url, `drop database if exists ${name} with (force)`))
  behaviour(() => ({ address, dialect: 'postgres', schema: 'public', ask: (sql) => run(address, sql) }))
})

describe('profiles written by hand beside CREATE TABLE statements', () => {
  const own = join(folder, 'given')
  const use = ['--catalog', 'shop.sql?dialect=postgres', '--dialect', 'postgres']
  const customers = {
    table: { schema: 'shop', name: 'customers' },
    profile: { rows: 2000, columns: { id: { nulls: 0, distinct: 2000 } } },
  }
  const orders = {
    table: 'SHOP.Orders',
    profile: {
      rows: 5000,
      columns: {
        ID: { nulls: 0, distinct: 5000, min: 1, max: 5000 },
        customer_id: { nulls: 0, distinct: 900 },
        day: { nulls: 0, distinct: 300, dates: { date_day_first: 5000, date_month_first: 2100 } },
      },
    },
  }
  beforeAll(() => {
    mkdirSync(own)
    writeFileSync(
      join(own, 'shop.sql'),
      'create table shop.customers (id int, city text);\ncreate table shop.orders (id int, customer_id int, day text);',
    )
  })
  const write = (name: string, ...entries: readonly unknown[]): readonly string[] => {
    writeFileSync(join(own, name), JSON.stringify(entries))
    return [...use, '--profile-from', name]
  }

  test('are evidence, and checks that they leave open are printed', async () => {
    const flags = write('both.json', customers, orders)
    const found = JSON.parse(await succeed(['suggest', '--json', ...flags], own)) as {
      id: string
      text: string
    }[]
    expect(found.map(({ id, text }) => `${id} ${text}`)).toEqual([
      'shop.customers:key id',
      'shop.orders:key id',
      'shop.orders.customer_id:references customers.id',
      'shop.orders.customer_id:notNull never null',
      'shop.orders.day:as date_day_first',
    ])
    const open = await succeed(['profile', '--print-sql', '--from', 'both.json', ...use], own)
    expect(open.match(/statement_id/g)).toHaveLength(1)
    expect(open).toContain('violations')
  })

  test('a table without them is named in a warning, and names alone are not accepted with all others', async () => {
    const flags = write('one.json', customers)
    const { stderr } = await runWarm(['suggest', ...flags], { folder: own })
    expect(stderr).toContain('warning[TABLE_NOT_PROFILED] orders could not be read')
    expect(stderr).not.toContain('customers could')
    const generating = ['plan', 'shop.*', ...flags]
    expect((await runWarm(generating, { folder: own })).stderr).toContain('TABLE_NOT_PROFILED')
    writeFileSync(join(own, 'all.yml'), '')
    const accepted = await runWarm(['suggest', ...flags, '--config', 'all.yml', '--accept', 'all'], {
      folder: own,
    })
    expect(accepted.stderr).toContain('--accept shop.orders:key')
    const config = readFileSync(join(own, 'all.yml'), 'utf8')
    expect(config).toContain('customers:')
    expect(config).not.toContain('orders:')
  })

  test('columns that they lack, and estimates, are marked on the terminal and on the page', async () => {
    const { columns, rows } = customers.profile
    const about = { id: { ...columns.id, approximate: true } }
    write('some.json', { ...customers, profile: { rows, columns: about } })
    const report = ['profile', 'shop.customers', '--from', 'some.json', ...use]
    expect(await succeed(report, own)).toMatch(/^ {2}id {4}about 2000 distinct\n {2}city {2}not read$/m)
    const page = await succeed([...report, '--format', 'html'], own)
    expect(page).toContain('about 2,000')
    expect(page).toContain('not read')
  })

  test('are read again from what profile prints', async () => {
    write('both.json', customers, orders)
    const printed = await succeed(['profile', '--json', '--from', 'both.json', ...use], own)
    writeFileSync(join(own, 'printed.json'), printed)
    expect(await succeed(['profile', '--json', '--from', 'printed.json', ...use], own)).toBe(printed)
  })

  test('have each fault told with its place', async () => {
    const flags = write(
      'wrong.json',
      {
        ...customers,
        profile: { rows: 10, columns: { id: { nulls: 0, distinct: 11 }, town: { nulls: 0 } } },
      },
      { ...orders, profile: { rows: 5000, columns: { id: { nulls: -1, distict: 3 } } } },
      { table: 3, profile: null },
    )
    const { code, stderr } = await runWarm(['suggest', ...flags], { folder: own })
    expect(code).toBe(2)
    for (const told of [
      'entry 1: profile.columns.id.distinct: expected at most the 10 rows with a value, got 11',
      'entry 1: profile.columns.town: expected a column of customers: id, city, got town',
      'entry 2: profile.columns.id.distict: expected one of the keys nulls, distinct',
      'entry 3: table: expected a table with a name, and its schema, got 3',
    ])
      expect(stderr).toContain(`wrong.json, ${told}`)
  })
})

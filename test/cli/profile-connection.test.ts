import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { stringify } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithServer, mysqlServer, postgresServer } from '../servers.ts'
import { FakeBigquery } from '../warehouses/fake-bigquery.ts'
import { WEB } from '../warehouses/web-dataset.ts'
import { type CliResult, runWarm, temporaryFolder } from './run-cli.ts'

const [POSTGRES, MYSQL] = [await postgresServer(), await mysqlServer()]

/** What the environment says of this machine must not decide. */
const CLEAN = { DBT_PROFILES_DIR: '', DBT_TARGET: '', DBT_PROJECT_DIR: '', HOME: '/nonexistent' }

/** A project whose profile has these outputs, and a folder deep inside it. */
function project(outputs: Readonly<Record<string, object>>): {
  readonly root: string
  readonly inside: string
} {
  const root = temporaryFolder()
  const inside = join(root, 'models/staging')
  mkdirSync(inside, { recursive: true })
  writeFileSync(join(root, 'dbt_project.yml'), 'name: shop\nprofile: house\n')
  writeFileSync(
    join(root, 'profiles.yml'),
    stringify({ house: { target: Object.keys(outputs)[0], outputs } }),
  )
  return { root, inside }
}

function generate(
  folder: string,
  parameters: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<CliResult> {
  return runWarm(['generate', 'shop.*', ...parameters], { folder, env: { ...CLEAN, ...env } })
}

const ORDERS = 'id integer primary key, placedat timestamp'

describeWithServer('a profile of PostgreSQL', POSTGRES, () => {
  const name = `stagecraft_profile_${process.pid}`
  const { hostname, password, port, username } = new URL(POSTGRES.url)
  const query = async (database: string, text: string): Promise<void> => {
    const client = new pg.Client({
      connectionString: Object.assign(new URL(POSTGRES.url), { pathname: `/${database}` }).href,
    })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  beforeAll(async () => {
    await query('postgres', `create database ${name}`)
    await query(name, `create schema shop; create table shop.orders (${ORDERS})`)
  })
  afterAll(() => query('postgres', `drop database ${name} with (force)`))

  const output = {
    type: 'postgres',
    host: hostname,
    port: Number(port || 5432),
    user: "{{ env_var('WAREHOUSE_USER') }}",
    password,
    dbname: name,
    schema: 'dbt_me',
  }

  test('gives the tables without a catalog, from any folder of the project', async () => {
    const { inside } = project({ dev: output })
    const { code, stderr, stdout } = await generate(inside, [], { WAREHOUSE_USER: username })
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^note reading target dev of profile house in .*profiles\.yml\n/),
    })
    expect(stdout).toContain("select * from {{ source('shop', 'orders') }}")
  })

  test('is told of what a profile is about to read', async () => {
    const { inside } = project({ dev: output })
    const { code, stderr } = await generate(inside, ['--profile'], { WAREHOUSE_USER: username })
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^note profiling (?:about \d+ rows in )?1 table(?: of unknown size)?; --max-rows leaves larger tables out$/m,
    )
  })

  test('of another target is read when it is asked for', async () => {
    const { root } = project({ dev: { type: 'snowflake' }, ci: output })
    const { code, stderr } = await generate(root, ['--target', 'ci'], { WAREHOUSE_USER: username })
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('target ci of profile house'),
    })
    const other = await generate(root, [], { DBT_TARGET: 'ci', WAREHOUSE_USER: username })
    expect(other.code).toBe(0)
  })
})

describeWithServer('a profile of MySQL', MYSQL, () => {
  const { hostname, password, port, username } = new URL(MYSQL.url)
  const query = async (text: string): Promise<void> => {
    const client = await mysql.createConnection({ uri: MYSQL.url, multipleStatements: true })
    await client.query(text)
    await client.end()
  }
  const name = `shop_${process.pid}`
  beforeAll(() => query(`create database ${name}; create table ${name}.orders (${ORDERS})`))
  afterAll(() => query(`drop database ${name}`))

  test('gives the tables without a catalog', async () => {
    const output = {
      type: 'mysql',
      server: hostname,
      port: Number(port || 3306),
      username,
      password,
      schema: name,
    }
    const { root } = project({ dev: output })
    const { code, stdout } = await runWarm(['generate', `${name}.*`], { folder: root, env: CLEAN })
    expect(code).toBe(0)
    expect(stdout).toContain('placed_at')
  })
})

test('a profile of DuckDB names its file as dbt does, from the folder of the project', async () => {
  const { inside, root } = project({ dev: { type: 'duckdb', path: 'raw.duckdb' } })
  const instance = await DuckDBInstance.create(join(root, 'raw.duckdb'))
  const connection = await instance.connect()
  await connection.run(`create schema shop; create table shop.orders (${ORDERS})`)
  connection.closeSync()
  instance.closeSync()
  const { code, stdout } = await generate(inside)
  expect(code).toBe(0)
  expect(stdout).toContain('placed_at')
})

test('a profile of SQLite names the file of its schema', async () => {
  const { root } = project({ dev: { type: 'sqlite', schema: 'main', schemas_and_paths: { main: 'raw.db' } } })
  const database = new DatabaseSync(join(root, 'raw.db'))
  database.exec(`create table orders (${ORDERS})`)
  database.close()
  const { code, stdout } = await runWarm(['generate', 'main.*'], { folder: root, env: CLEAN })
  expect(code).toBe(0)
  expect(stdout).toContain('placed_at')
})

test('check says once which target it reads, also when a table is gone', async () => {
  const { root } = project({ dev: { type: 'sqlite', schema: 'main', schemas_and_paths: { main: 'raw.db' } } })
  const database = new DatabaseSync(join(root, 'raw.db'))
  database.exec(`create table orders (${ORDERS}); create table carts (${ORDERS})`)
  expect(await runWarm(['apply', 'main.*'], { folder: root, env: CLEAN })).toMatchObject({ code: 0 })
  database.exec('drop table carts')
  database.close()
  const { stderr, stdout } = await runWarm(['check'], { folder: root, env: CLEAN })
  expect(stdout).toContain('carts no longer exists in the warehouse')
  expect(stderr).toBe('note reading target dev of profile house in profiles.yml\n')
})

test('the target of the flags is also the one of Jinja in the project', async () => {
  const { root } = project({
    dev: { type: 'duckdb', path: 'dev.duckdb' },
    prod: { type: 'duckdb', path: 'prod.duckdb' },
  })
  const instance = await DuckDBInstance.create(join(root, 'prod.duckdb'))
  const connection = await instance.connect()
  await connection.run('create schema raw_prod; create table raw_prod.a (id integer)')
  connection.closeSync()
  instance.closeSync()
  writeFileSync(
    join(root, 'models/_sources.yml'),
    'sources:\n  - name: raw\n    schema: "raw_{{ target.name }}"\n    tables:\n      - name: a\n',
  )
  const prod = ['raw_prod.a', '--target', 'prod']
  const printed = await runWarm(['generate', ...prod], { folder: root, env: CLEAN })
  expect(printed.stdout).toContain("source('raw', 'a')")
  expect(await runWarm(['apply', ...prod], { folder: root, env: CLEAN })).toMatchObject({ code: 0 })
  expect(readdirSync(join(root, 'models/staging'), { recursive: true })).toEqual([
    'raw',
    'raw/_raw__models.yml',
    'raw/stg_raw__a.sql',
  ])
  for (const command of [['check'], ['check', '--offline'], ['explain', 'raw.a']]) {
    const { code, stdout } = await runWarm([...command, '--target', 'prod'], { folder: root, env: CLEAN })
    expect({ command, code, stdout }).toEqual({ command, code: 0, stdout })
  }
})

test('an adapter that no catalog reads says what to do', async () => {
  const { root } = project({ dev: { type: 'oracle', password: "{{ env_var('SECRET') }}" } })
  const { code, stderr } = await generate(root, [], { SECRET: 'hush' })
  expect(code).toBe(2)
  expect(stderr).toContain(
    'no catalog reads oracle directly (target dev of profile house in profiles.yml); run dbt docs generate',
  )
  expect(stderr).not.toContain('hush')
})

test('what is wrong is told without a secret', async () => {
  const { root } = project({
    dev: {
      type: 'postgres',
      host: '127.0.0.1',
      port: 1,
      user: 'me',
      password: "{{ env_var('SECRET') }}",
      dbname: 'x',
    },
  })
  const unset = await generate(root)
  expect(unset).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'house.outputs.dev.password: expected the environment variable SECRET, got nothing',
    ),
  })
  const refused = await generate(root, [], { SECRET: 'h/u:s@h' })
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('connection refused') })
  expect(refused.stderr).not.toContain('u:s')
})

test('a catalog and a target are one too many, and without either there is none', async () => {
  const { root } = project({ dev: { type: 'duckdb', path: 'raw.duckdb' } })
  const both = await generate(root, ['--target', 'dev', '--catalog', 'columns.yml'])
  expect(both).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected --catalog or --target, got both'),
  })
  const elsewhere = temporaryFolder()
  for (const none of [await generate(elsewhere), await generate(root, ['--out', elsewhere])])
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `catalog: expected --catalog, or catalog: in stagecraft.yml, got neither; a dbt project with a profile would do too, but no dbt_project.yml is in or above ${elsewhere}`,
      ),
    })
  rmSync(join(root, 'profiles.yml'))
  expect((await generate(root)).stderr).toContain('but no profiles.yml is in ., in the current folder')
  expect((await generate(root, ['--target', 'dev'])).stderr).toContain(
    '--target: expected a dbt project with a profile, got none: no profiles.yml is in .',
  )
})

test('what the project builds itself is no source of the whole warehouse, but can be named', async () => {
  const { root } = project({ dev: { type: 'duckdb', path: 'warehouse.duckdb', schema: 'dbt_me' } })
  writeFileSync(join(root, 'models/staging/stg_shop__orders.sql'), 'select 1 as order_id')
  writeFileSync(join(root, 'models/staging/fct_orders.sql'), 'select 1 as order_id')
  writeFileSync(join(root, 'models/staging/orders.sql'), 'select 1 as order_id')
  const instance = await DuckDBInstance.create(join(root, 'warehouse.duckdb'))
  const client = await instance.connect()
  await client.run(`
    create schema shop; create schema dbt_me; create schema dbt_me_marts; create schema dbt_men;
    create table shop.orders (${ORDERS}); create table dbt_me.stg_shop__orders (order_id integer);
    create view dbt_me_marts.FCT_ORDERS as select 1 as order_id; create table dbt_me.uploads (id integer);
    create view dbt_me.stg_of_old as select 1 as of_old_id; create view shop.live_orders as select 1 as live_order_id;
    create table dbt_men.orders (id integer)`)
  client.closeSync()
  instance.closeSync()
  const all = await runWarm(['generate', '--all'], { folder: root, env: CLEAN })
  expect(all.stderr).toContain('note 2 tables of dbt_me that this dbt project builds are left out')
  expect(all.stdout.match(/stg_\w+(?=\.sql)/g)?.toSorted()).toEqual([
    'stg_dbt_me__stg_of_old',
    'stg_dbt_me__uploads',
    'stg_dbt_men__orders',
    'stg_shop__live_orders',
    'stg_shop__orders',
  ])
  const suggested = await runWarm(['suggest', '--json'], { folder: root, env: CLEAN })
  expect(suggested.stdout).not.toContain('stg_shop__orders')
  expect(suggested.stdout).not.toContain('FCT_ORDERS')
  expect(suggested.stdout).not.toContain('stg_of_old')
  expect(suggested.stdout).toContain('shop.live_orders')
  expect(suggested.stderr).toContain(
    'note 1 table of dbt_me that this dbt project no longer builds is left out',
  )
  const named = await runWarm(['generate', 'dbt_me.stg_shop__orders'], { folder: root, env: CLEAN })
  expect(named.stdout).toContain('stg_dbt_me__')
  expect(named.stderr).not.toContain('left out')
  // A catalog that is given says nothing of where dbt builds: the profile does, and without one what lies there.
  const address = `duckdb:${join(root, 'warehouse.duckdb')}`
  for (const hasProfile of [true, false]) {
    if (!hasProfile) rmSync(join(root, 'profiles.yml'))
    const given = await runWarm(['suggest', '--catalog', address], { folder: root, env: CLEAN })
    expect(given.stderr).toContain('note 2 tables of dbt_me that this dbt project builds are left out')
    expect(given.stdout).toContain('dbt_me.uploads:key')
    expect(given.stdout).not.toMatch(/stg_shop__orders|fct_orders/i)
  }
})

test('a key goes to no host that a file of the project chose, and to one of a profile of the user', async () => {
  const output = {
    type: 'snowflake',
    account: 'acme',
    host: 'warehouse.evil.example',
    user: 'me',
    database: 'RAW',
    private_key_path: '/nonexistent/rsa.p8',
  }
  const { root } = project({ dev: output })
  const refused = await generate(root)
  expect(refused.stderr).toContain(
    'catalog: expected a host of snowflakecomputing.com, or of okta.com to sign in, in a file of the project, got warehouse.evil.example; pass the address with --catalog or as env:<variable>, or keep the profile outside the project, as in ~/.dbt',
  )
  const home = temporaryFolder()
  mkdirSync(join(home, '.dbt'))
  renameSync(join(root, 'profiles.yml'), join(home, '.dbt/profiles.yml'))
  const taken = await generate(root, [], { HOME: home })
  expect(taken.stderr).toContain('/nonexistent/rsa.p8')
  expect(taken.stderr).not.toContain('evil.example')
})

test.each(['OPENAI_API_KEY', 'STAGECRAFT_SECRET_KEY', 'GITHUB_TOKEN'])(
  'a profile in the project cannot read %s, and one of the user can',
  async (variable) => {
    const output = {
      type: 'postgres',
      host: '127.0.0.1',
      port: 1,
      user: 'me',
      password: `{{ env_var('${variable}', 'none') }}`,
      dbname: 'raw',
    }
    const { root } = project({ dev: output })
    const env = { ...CLEAN, [variable]: 'canary' }
    const refused = await runWarm(['generate', '--all'], { folder: root, env })
    expect(refused.stderr).toContain(
      `.outputs.dev.password: expected a variable of the warehouse, in a file of the project, got ${variable}; keep the profile outside the project`,
    )
    const home = temporaryFolder()
    mkdirSync(join(home, '.dbt'))
    renameSync(join(root, 'profiles.yml'), join(home, '.dbt/profiles.yml'))
    const taken = await runWarm(['generate', '--all'], { folder: root, env: { ...env, HOME: home } })
    expect(taken.stderr).toContain('127.0.0.1:1')
    for (const { stderr } of [refused, taken]) expect(stderr).not.toContain('canary')
  },
)

test('the bytes that a profile of BigQuery reads are told by a dry run, and limited before anything runs', async () => {
  const fake = new FakeBigquery(['web'], WEB)
  const address = `bigquery://127.0.0.1:${await fake.start()}/p/web?token=canary-t0ken`
  try {
    const flags = ['--catalog', address, '--max-bytes', '1GB']
    const { stderr, stdout } = await runWarm(['profile', 'users', 'totals', 'secrets', ...flags], {
      folder: temporaryFolder(),
      env: CLEAN,
    })
    expect(stderr).toContain(
      'note profiling about 10 rows in 2 tables, 1 table of unknown size; the first statements read 2.5 GB for 2 tables of them, and lists of values and references read some columns again; --max-bytes leaves larger tables out\n',
    )
    expect(stderr).toContain('totals is not read: its profile reads 2.5 GB, more than 1 GB')
    expect(stderr).toContain('secrets could not be read: ')
    expect(stderr).not.toContain('canary')
    expect(stdout).toMatch(/^web\.users: 3 rows, last changed 2026-01-31 22:53 UTC$/m)
    expect(fake.dryRuns.every((sql) => sql.includes('count(*) as row_count'))).toBe(true)
    expect(fake.ran.filter((sql) => sql.includes('totals'))).toEqual([])
  } finally {
    fake.stop()
  }
})

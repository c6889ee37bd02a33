import type * as Dns from 'node:dns/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { describeWithServer, mysqlServer, postgresServer } from '../../../../test/servers.ts'
import { checkCatalog } from './check-catalog.ts'
import type { CheckStep } from './check-step.ts'

/** Accounts of Snowflake do not exist, whatever the network of this machine says. */
vi.mock('node:dns/promises', async (original) => {
  const real = await original<typeof Dns>()
  const lookup = async (name: string, options: object): Promise<unknown> => {
    if (!name.endsWith('.snowflakecomputing.com')) return real.lookup(name, options)
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
  }
  return { ...real, lookup }
})

const [POSTGRES, MYSQL] = [await postgresServer(), await mysqlServer()]

async function stepsOf(text: string, schema?: string): Promise<readonly CheckStep[]> {
  const steps: CheckStep[] = []
  for await (const step of checkCatalog(text, { schema })) steps.push(step)
  return steps
}

/** The steps without what depends on the machine. */
const brief = (steps: readonly CheckStep[]): readonly string[] =>
  steps.map(({ name, outcome }) => `${name}: ${outcome}`)

const find = (steps: readonly CheckStep[], name: string): CheckStep | undefined =>
  steps.find((step) => step.name === name)

describeWithServer('PostgreSQL', POSTGRES, () => {
  const name = `stagecraft_check_${crypto.randomUUID().slice(0, 8)}`
  const reader = `${name}_reader`
  const own = Object.assign(new URL(POSTGRES.url), { pathname: `/${name}` }).href
  const run = async (connectionString: string, statements: string): Promise<void> => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(statements)
    await client.end()
  }
  beforeAll(async () => {
    await run(POSTGRES.url, `create database ${name}`)
    await run(
      own,
      `create schema shop;
      create table shop.orders (id integer primary key, note text);
      create table shop.secrets (id integer);
      insert into shop.orders select n, 'x' from generate_series(1, 1500) n;
      analyze shop.orders;
      create role ${reader} login;
      grant usage on schema shop to ${reader};
      grant select on shop.orders to ${reader}`,
    )
  })
  afterAll(async () => {
    await run(own, `drop owned by ${reader}; drop role ${reader}`)
    await run(POSTGRES.url, `drop database if exists ${name} with (force)`)
  })

  test('passes every step, up to reading a table and stopping a statement', async () => {
    const steps = await stepsOf(own, 'shop')
    expect(brief(steps)).toEqual([
      'address: works',
      'host: works',
      'port: works',
      'driver: works',
      'connect: works',
      'statement schemas: works',
      'statement tables: works',
      'statement schemas: works',
      'statement sizes: works',
      'tables: works',
      'sizes: works',
      'rights: works',
      'rows: works',
      'cancel: works',
    ])
    expect(find(steps, 'statement tables')?.told).toBe('3 rows')
    expect(find(steps, 'tables')?.told).toBe('2 tables with 3 columns in 1 schema')
    expect(find(steps, 'rows')?.told).toBe(`1500 rows of "${name}"."shop"."orders"`)
    expect(find(steps, 'cancel')?.told).toMatch(
      /^a statement ended \d+ ms after it was stopped, and the next one ran$/,
    )
  })

  test('names the table that a role may not read, and the missing grant', async () => {
    const steps = await stepsOf(own.replace(/\/\/[^@]*@/, `//${reader}@`), 'shop')
    expect(find(steps, 'rights')).toMatchObject({
      outcome: 'fails',
      told: expect.stringMatching(
        new RegExp(
          `^1 of 2 tables that were tried cannot be read; the first is "${name}"."shop"."secrets": `,
        ),
      ) as string,
      remedy: `grant usage on schema "shop" to "${reader}"; grant select on all tables in schema "shop" to "${reader}"`,
    })
    expect(brief(steps).slice(-3)).toEqual(['rights: fails', 'rows: works', 'cancel: works'])
  })

  test('finds a readable table after many that are not', async () => {
    const tables = Array.from({ length: 30 }, (_, at) => `create table many.t${at + 10} (id integer);`)
    await run(
      own,
      `create schema many; ${tables.join('')} create table many.u (id integer); create table many.v (id integer);
      insert into many.u values (1); analyze many.u; grant usage on schema many to ${reader}; grant select on many.u to ${reader}`,
    )
    const steps = await stepsOf(own.replace(/\/\/[^@]*@/, `//${reader}@`), 'many')
    expect(find(steps, 'rights')?.told).toContain(
      '30 of 31 tables that were tried cannot be read (1 other was not tried); the first is ',
    )
    expect(find(steps, 'rows')?.told).toBe(`1 row of "${name}"."many"."u"`)
  })

  test('gives a remedy if no table is visible', async () => {
    const steps = await stepsOf(own, 'no such schema')
    expect(steps.at(-1)).toMatchObject({ name: 'tables', outcome: 'fails', told: 'no visible table' })
  })

  test('stops at the login, without repeating the password', async () => {
    const steps = await stepsOf(own.replace(/\/\/[^@]*@/, '//nobody_here:canary-s3cret@'))
    expect(brief(steps)).toEqual([
      'address: works',
      'host: works',
      'port: works',
      'driver: works',
      'connect: fails',
    ])
    expect(steps.at(-1)?.remedy).toMatch(/^check /)
    expect(JSON.stringify(steps)).not.toContain('canary')
  })
})

describeWithServer('MySQL or MariaDB', MYSQL, () => {
  test('passes, and a statement can be stopped', async () => {
    const steps = await stepsOf(MYSQL.url, 'mysql')
    expect(brief(steps).filter((step) => !step.endsWith('works'))).toEqual([])
    expect(find(steps, 'cancel')?.told).toContain('after it was stopped')
  })
})

test('distinguishes a closed port from an unknown host', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await new Promise((resolve) => server.close(resolve))
  const closed = await stepsOf(`postgres://me:canary@127.0.0.1:${port}/raw`)
  expect(brief(closed)).toEqual([
    'address: works',
    'host: works',
    'port: fails',
    'driver: works',
    'connect: fails',
  ])
  const missing = await stepsOf('postgres://me:canary@no-such-host.invalid/raw')
  expect(brief(missing)).toEqual(['address: works', 'host: fails', 'driver: works', 'connect: fails'])
  expect(JSON.stringify([closed, missing])).not.toContain('canary')
})

test('names a missing driver', async () => {
  const steps = await stepsOf('sqlserver://me:canary@127.0.0.1:1/raw')
  expect(find(steps, 'driver')).toEqual({
    name: 'driver',
    outcome: 'fails',
    told: 'the package mssql cannot be loaded',
    remedy: 'npm install mssql',
  })
})

test('names the package that a password login to Snowflake needs, and the alternatives', async () => {
  const steps = await stepsOf('snowflake://me:canary-s3cret@acct/RAW')
  expect(find(steps, 'driver')).toEqual({
    name: 'driver',
    outcome: 'fails',
    told: 'the package snowflake-sdk cannot be loaded',
    remedy:
      'npm install snowflake-sdk, or sign in without it: with a key pair (private_key_path), a programmatic access token or OAuth (authenticator, token)',
  })
  expect(JSON.stringify(steps)).not.toContain('canary')
})

test('looks for the host of an account of Snowflake, not for its name', async () => {
  const steps = await stepsOf('snowflake://me@acct.eu-central-1/RAW')
  expect(find(steps, 'host')).toMatchObject({
    outcome: 'fails',
    told: 'acct.eu-central-1.snowflakecomputing.com: host not found',
  })
})

test('checks a file, whose engine is part of this process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'raw.sqlite')
  const database = new DatabaseSync(file)
  database.exec('create table t (id integer primary key); insert into t values (1), (2)')
  database.close()
  const steps = await stepsOf(`sqlite:${file}`)
  expect(brief(steps).filter((step) => !step.endsWith('works'))).toEqual(['cancel: skipped'])
  const list = await stepsOf(new URL('../../fixtures/shop/columns.yml', import.meta.url).pathname)
  expect(brief(list)).toEqual([
    'address: works',
    'driver: works',
    'tables: works',
    'rights: skipped',
    'rows: skipped',
    'cancel: skipped',
  ])
})

test('refuses a text that is not a catalog', async () => {
  await expect(stepsOf('oracle:x')).rejects.toThrow('catalog: expected a known scheme instead of oracle:')
})

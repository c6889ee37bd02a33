import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '@stagecraft/spec'
import { afterAll, beforeAll, describe } from 'vitest'
import { busyModel } from './busy-model.ts'
import { coveringTables } from './covering-tables.ts'
import type { Dbt } from './dbt.ts'
import { type BuildOptions, expectSuccess, generateAndBuild } from './generate-and-build.ts'
import { buildInDuckDb, copyOfDuckDb, demo, type Place } from './warehouses.ts'
import { testWithDbt } from './with-dbt.ts'

const MINUTES = 60_000
const DBTS = ['dbt-1', 'dbt-2'] as const

const CONFIGURATIONS: Readonly<Record<string, Config>> = {
  'spells out every type and enforces contracts': { options: { casts: 'full', contract: true } },
  'shows deleted rows, keys as text and the reasons of tests': {
    options: {
      deletedRows: 'flag',
      keysAsText: true,
      testReasons: true,
      metadataColumns: 'loaded',
      yamlLayout: 'model',
    },
  },
  'converts nothing, in the order of the source, and joins the words of names': {
    naming: { columns: 'pascal' },
    options: {
      casts: 'none',
      columnOrder: 'source',
      leadingCommas: true,
      metadataColumns: 'drop',
      materialized: 'table',
    },
  },
  'looks like those of Fivetran': { preset: 'fivetran' },
  'looks like those of dbt-codegen': { preset: 'dbt-codegen' },
}

const SNAPSHOTS = [
  'erp.items',
  'erp.order_lines',
  'erp.Group',
  'shopify.customer',
  'crm.accounts',
  'stripe.charges',
]

let folder = ''
let place: Place
let covering: readonly string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stagecraft-dbt-options-'))
  place = await buildInDuckDb(demo, folder)
  covering = await coveringTables(place, SNAPSHOTS)
}, MINUTES)
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Builds every table with v2. Each model and test takes v1 ten times as long, so it builds those that have every
 * type between them; build.long.test.ts has it build all.
 */
function builds(options: BuildOptions): (dbt: Dbt) => Promise<void> {
  return async (dbt) => {
    const own = await mkdtemp(join(folder, 'build-'))
    const sources = dbt.name === 'dbt-2' ? [] : covering
    expectSuccess(await generateAndBuild(dbt, await copyOfDuckDb(place, own), own, { sources, ...options }))
  }
}

describe.each(Object.entries(CONFIGURATIONS))('a project that %s', (_, config) => {
  for (const name of DBTS) testWithDbt('is built by', name, builds({ config }), 5 * MINUTES)
})

describe('snapshots', () => {
  const options: BuildOptions = { type: 'snapshot', sources: SNAPSHOTS, times: 2 }
  for (const name of DBTS)
    testWithDbt('are built, and again over themselves, by', name, builds(options), 5 * MINUTES)
})

describe('what a model edited', () => {
  for (const name of DBTS) testWithDbt('is built by', name, builds({ backend: busyModel() }), 5 * MINUTES)
  const legacy: BuildOptions = { backend: busyModel(), config: { dbtVersion: '1.8' } }
  testWithDbt('is built by', 'dbt-1.8', builds(legacy), 5 * MINUTES)
})

describe('what is written for an older dbt', () => {
  for (const dbtVersion of ['1.8', '1.9'] as const) {
    testWithDbt('is built by', `dbt-${dbtVersion}`, builds({ config: { dbtVersion } }), 5 * MINUTES)
    const snapshots: BuildOptions = { config: { dbtVersion }, type: 'snapshot', sources: SNAPSHOTS, times: 2 }
    testWithDbt('as snapshots is built by', `dbt-${dbtVersion}`, builds(snapshots), 5 * MINUTES)
  }
})

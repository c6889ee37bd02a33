import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { describeWithServer, postgresServer } from '../servers.ts'
import { failures } from './dbt.ts'
import { type Built, expectSuccess, generateAndBuild } from './generate-and-build.ts'
import {
  buildInDuckDb,
  buildInPostgres,
  copyOfDuckDb,
  type Place,
  undeclared,
  WAREHOUSES,
} from './warehouses.ts'
import { testWithDbt } from './with-dbt.ts'

const MINUTES = 60_000
const DBTS = ['dbt-1', 'dbt-2'] as const

const server = await postgresServer()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stagecraft-dbt-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each(WAREHOUSES.map((warehouse) => [warehouse.name, warehouse] as const))('%s', (_, warehouse) => {
  const options = warehouse.config ? { config: warehouse.config } : {}
  let place: Place | undefined

  describe('in DuckDB', () => {
    beforeAll(async () => {
      place = await buildInDuckDb(warehouse, await mkdtemp(join(folder, 'raw-')))
    }, MINUTES)

    for (const name of DBTS) {
      const build = async (dbt: Parameters<typeof generateAndBuild>[0]): Promise<void> => {
        const own = await mkdtemp(join(folder, 'duckdb-'))
        expectSuccess(await generateAndBuild(dbt, await copyOfDuckDb(built(place), own), own, options))
      }
      testWithDbt('is built by', name, build, 5 * MINUTES)
    }
  })

  describeWithServer('in PostgreSQL', server, () => {
    beforeAll(async () => {
      place = await buildInPostgres(warehouse, await mkdtemp(join(folder, 'raw-')), server.url)
    }, 2 * MINUTES)
    afterAll(() => place?.drop())

    for (const name of DBTS) {
      const build = async (dbt: Parameters<typeof generateAndBuild>[0]): Promise<void> => {
        const own = await mkdtemp(join(folder, 'postgres-'))
        expectSuccess(await generateAndBuild(dbt, built(place), own, options))
      }
      testWithDbt('is built by', name, build, 5 * MINUTES)
    }
  })
})

// Rows that live on point to deleted ones: a warning where they are left out.
const ACCEPTED = {
  profile: 'accepted',
  config: { sources: { shopify: { options: { deletedRows: 'flag' } } } },
} as const

testWithDbt(
  'what the rows keep is tested and holds, where nothing is declared, says',
  'dbt-1',
  async (dbt) => {
    const own = await mkdtemp(join(folder, 'rows-'))
    expectTests(await generateAndBuild(dbt, await buildInDuckDb(undeclared, own), own, { profile: true }))
  },
  5 * MINUTES,
)

testWithDbt(
  'the same with all suggestions accepted, so that tests are errors, says',
  'dbt-2',
  async (dbt) => {
    const own = await mkdtemp(join(folder, 'accepted-'))
    expectTests(await generateAndBuild(dbt, await buildInDuckDb(undeclared, own), own, ACCEPTED))
  },
  5 * MINUTES,
)

describeWithServer('accepted in PostgreSQL', server, () => {
  testWithDbt(
    'all suggestions hold, says',
    'dbt-1',
    async (dbt) => {
      const own = await mkdtemp(join(folder, 'accepted-'))
      const place = await buildInPostgres(undeclared, own, server.url)
      try {
        expectTests(await generateAndBuild(dbt, place, own, ACCEPTED))
      } finally {
        await place.drop()
      }
    },
    5 * MINUTES,
  )
})

function expectTests(built: Built): void {
  expectSuccess(built)
  const tests = built.run.results.map(({ unique_id }) => unique_id)
  expect(tests.filter((id) => id.includes('.unique_')).length).toBeGreaterThan(80)
  expect(tests.filter((id) => id.includes('.relationships_')).length).toBeGreaterThan(65)
}

/** Where the column that is named like a key is none: the true keys have a second column. */
const NOT_KEYS = [
  'unique_stg_jaffle__supplies_supply_id',
  'unique_stg_shopify__inventory_levels_inventory_level_id',
  'unique_stg_shopify__inventory_quantities_inventory_quantity_id',
]

testWithDbt(
  'a key by name that is none is a warning and never an error, says',
  'dbt-2',
  async (dbt) => {
    const own = await mkdtemp(join(folder, 'names-'))
    const { run } = await generateAndBuild(dbt, await buildInDuckDb(undeclared, own), own)
    expect(run.code).toBe(0)
    const warned = failures(run).map((line) => /^warn test\.generated\.(\w+)\./.exec(line)?.[1] ?? line)
    expect(warned.toSorted()).toEqual(NOT_KEYS)
  },
  5 * MINUTES,
)

function built(place: Place | undefined): Place {
  if (place) return place
  throw new Error('the warehouse could not be built')
}

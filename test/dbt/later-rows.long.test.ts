import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect } from 'vitest'
import { messyWorld } from '../engines/messy-world.ts'
import { describeWithServer, postgresServer } from '../servers.ts'
import { failures, runDbt } from './dbt.ts'
import { expectSuccess, generateAndBuild } from './generate-and-build.ts'
import { buildInPostgres } from './warehouses.ts'
import { testWithDbt } from './with-dbt.ts'

const MINUTES = 60_000
const server = await postgresServer()
const { build, later } = messyWorld('postgres', 'shop')

/** Types that people make, parts, and rows elsewhere. */
const OWN_TYPES = `
  create type shop.mood as enum ('glad', 'sad', 'It''s');
  create domain shop.positive as integer check (value > 0);
  create domain shop.score as shop.positive check (value < 1000);
  create domain shop.feeling as shop.mood;
  create type shop.address as (street text, city text);
  create table shop.odd_types (id shop.positive, m shop.mood, d shop.score, f shop.feeling, a shop.address, ms shop.mood[]);
  insert into shop.odd_types select n, (enum_range(null::shop.mood))[1 + n % 2], 1 + n % 30, 'glad', row('Main ' || n, 'X')::shop.address, '{glad}'
    from generate_series(1, 200) n;
  create table shop.events (id bigint, customer_id int, at timestamptz) partition by range (at);
  create table shop.events_2024 partition of shop.events for values from ('2024-01-01') to ('2027-01-01');
  insert into shop.events select n, 1 + n % 300, '2024-01-01'::timestamptz + n * interval '8 hours' from generate_series(1, 1500) n;
  create materialized view shop.totals as select customer_id, count(*) as n from shop.orders group by 1`

describeWithServer('half of the rows in PostgreSQL', server, () => {
  for (const name of ['dbt-1', 'dbt-2'] as const)
    testWithDbt(
      'builds with all suggestions accepted, and later rows break one list, says',
      name,
      async (dbt) => {
        const folder = await mkdtemp(join(tmpdir(), 'stagecraft-later-'))
        const place = await buildInPostgres(
          {
            name: `later ${name}`,
            inDuckDb: () => Promise.resolve(),
            inPostgres: async (client) => {
              for (const sql of ['create schema shop', ...build, OWN_TYPES]) await client.query(sql)
            },
          },
          folder,
          server.url,
        )
        const client = new Client({ connectionString: place.catalog })
        try {
          expectSuccess(await generateAndBuild(dbt, place, folder, { profile: 'accepted' }))
          await client.connect()
          for (const sql of later) await client.query(sql)
          const run = await runDbt(dbt, join(folder, 'project'), ['test'])
          expect(run.results.length).toBeGreaterThan(60)
          expect(failures(run)).toEqual([
            expect.stringMatching(/^warn test\.generated\.accepted_values_\w+orders_status_/),
          ])
        } finally {
          await client.end()
          await place.drop()
          await rm(folder, { recursive: true })
        }
      },
      5 * MINUTES,
    )
})

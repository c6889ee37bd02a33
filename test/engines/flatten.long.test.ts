import type { CatalogTable, Config } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clickhouse } from './clickhouse.ts'
import { duckdb } from './duckdb.ts'
import { describeOn, type Session } from './engine.ts'
import { snowflake } from './snowflake.ts'
import { stage } from './stage.ts'

const CONFIG: Config = { options: { flatten: 'one level', columnOrder: 'source' } }

/** The type as a catalog tells it, and how a table of it is made in an engine. */
const CASES = [
  {
    engine: duckdb,
    type: `STRUCT(city VARCHAR, "Zip Code" INTEGER, geo STRUCT(lat DOUBLE))`,
    setUp: [
      `create table raw.people (id integer, address struct(city varchar, "Zip Code" integer, geo struct(lat double)))`,
      `insert into raw.people values (1, {'city': 'Oslo', 'Zip Code': 150, 'geo': {'lat': 59.5}}), (2, null)`,
    ],
    values: [
      [1, 'Oslo', 150],
      [2, null, null],
    ],
  },
  {
    engine: clickhouse,
    type: 'Tuple(city Nullable(String), `Zip Code` Int32, geo Tuple(lat Float64))',
    setUp: [
      'create table raw.people (id Int32, address Tuple(city Nullable(String), `Zip Code` Int32, geo Tuple(lat Float64))) engine = Memory',
      "insert into raw.people values (1, ('Oslo', 150, tuple(59.5))), (2, (null, 0, tuple(0)))",
    ],
    values: [
      [1, 'Oslo', 150],
      [2, null, 0],
    ],
  },
  {
    engine: snowflake,
    type: 'OBJECT(city VARCHAR, "Zip Code" NUMBER(38,0), geo OBJECT)',
    setUp: [
      'create table "raw"."people" ("id" int, "address" object)',
      `insert into "raw"."people" select 1, object_construct('city', 'Oslo', 'Zip Code', 150, 'geo', object_construct('lat', 59.5))`,
      'insert into "raw"."people" select 2, null',
    ],
    values: [
      [1, 'Oslo', 150],
      [2, null, null],
    ],
  },
] as const

for (const { engine, setUp, type, values } of CASES) {
  describeOn(engine, () => {
    let session: Session
    beforeAll(async () => {
      session = await engine.open()
      for (const statement of setUp) await session.run(statement)
    }, 60_000)
    afterAll(() => session.close())

    test('fields of structs have the values of the table', async () => {
      const columns = [
        { name: 'id', type: 'integer' },
        { name: 'address', type },
      ]
      const table: CatalogTable = { schema: 'raw', name: 'people', columns }
      const { plan, sql } = stage(table, engine.dialect, CONFIG)
      const names = plan.columns.map(({ alias }) => alias)
      expect(names.slice(1)).toEqual(['address_city', 'address_zip_code', 'address_geo'])
      const wanted = names.slice(0, 3).join(', ')
      const { rows } = await session.query(`select ${wanted} from (${sql}) as model order by 1`)
      expect(rows).toEqual(values.map((row) => row.map((value) => (value === null ? null : String(value)))))
    }, 60_000)
  })
}

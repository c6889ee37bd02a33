// Half of the rows are profiled and all suggestions accepted: the tests hold on them, and on the rows that come later.
import { createHash } from 'node:crypto'
import { openCatalog } from '@stagecraft/catalogs'
import { observeIn } from '@stagecraft/core/inference'
import type { DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { acceptAll } from '../accepted.ts'
import { describeOn, schemaOf } from './engine.ts'
import { duckdb } from './duckdb.ts'
import { mariadb } from './mariadb.ts'
import { binary, literal, messyWorld } from './messy-world.ts'
import { postgres } from './postgres.ts'
import { countFailures, generateModels } from './project.ts'
import { sqlite } from './sqlite.ts'

const MINUTES = 60_000

for (const engine of [duckdb, postgres, mariadb, sqlite]) {
  describeOn(engine, () => {
    test(
      'tests from half of the rows hold on them, and nearly all on later rows',
      async () => {
        const session = await engine.open()
        try {
          const { build, later } = messyWorld(engine.dialect, schemaOf(engine))
          for (const statement of build) await session.run(statement)
          const catalog = await openCatalog(session.catalog ?? '')
          const raw = await catalog.tables({})
          const { failures, inference, tables } = await observeIn(catalog, raw, { asked: 'profile' })
          await catalog.close()
          expect(failures).toEqual([])
          const place = { dialect: engine.dialect, session, schema: schemaOf(engine) }
          const count = async (models: ReturnType<typeof generateModels>): Promise<readonly string[]> => {
            const severities = models.flatMap(({ tests }) => tests.map(({ severity }) => severity))
            return (await countFailures(models, place)).map((line, at) => `${severities[at]} ${line}`)
          }
          const runs = [{}, acceptAll(inference)].map((config) =>
            generateModels(tables, engine.dialect, config),
          )
          for (const models of runs) expect((await count(models)).filter(fails)).toEqual([])
          for (const statement of later) await session.run(statement)
          for (const models of runs) {
            const all = await count(models)
            expect(all.length).toBeGreaterThan(45)
            expect(all.filter((line) => line.startsWith('error') && fails(line))).toEqual([])
            const lists = all.filter((line) => line.includes(' accepted_values '))
            expect(lists.length).toBeGreaterThan(4)
            // a status that came up later
            expect(lists.filter(fails)).toEqual([expect.stringMatching(/^warn \S+__orders .* status: 1$/)])
          }
          const ofBytes = inference.references.filter(({ child }) => child.columns.includes('device_id'))
          expect(ofBytes).toMatchObject([{ parent: { table: { name: 'devices' } }, origin: 'data' }])
        } finally {
          await session.close()
        }
      },
      10 * MINUTES,
    )

    test('of large tables, ids of bytes are looked up by a share of them', async () => {
      const session = await engine.open()
      try {
        for (const statement of gadgets(engine.dialect, schemaOf(engine))) await session.run(statement)
        const catalog = await openCatalog(session.catalog ?? '')
        const { failures, inference, profiles } = await observeIn(catalog, await catalog.tables({}), {
          asked: 'profile',
          limits: { exactRows: 1000, wholeRows: 1500, sampleRows: 500 },
        })
        await catalog.close()
        expect(failures).toEqual([])
        expect(profiles.map(({ profile }) => profile?.sampled)).toEqual([true, true])
        expect(inference.keys).toMatchObject([{ columns: ['id'], origin: 'data', sampled: true }])
        const [key] = inference.keys
        expect(key?.rows).toBeGreaterThan(100)
        expect(key?.rows).toBeLessThan(ROWS / 2)
        expect(inference.references).toMatchObject([
          { child: { columns: ['gadget_id'] }, parent: { table: { name: 'gadgets' } }, origin: 'data' },
        ])
      } finally {
        await session.close()
      }
    })
  })
}

function fails(line: string): boolean {
  return !line.endsWith(': 0')
}

const ROWS = 6000

/** Two tables of many rows, of which one refers to the other by ids of 16 bytes. */
function gadgets(dialect: DialectName, schema: string): readonly string[] {
  const type = BINARY_TYPES[dialect] ?? ''
  const numbers = Array.from({ length: ROWS }, (_, at) => at)
  const id = (number: number): string =>
    literal(binary(dialect, createHash('md5').update(`${number}`).digest('hex')))
  return [
    `create table ${schema}.gadgets (id ${type}, weight integer)`,
    `insert into ${schema}.gadgets values ${numbers.map((at) => `(${id(at)}, ${at % 9})`).join(', ')}`,
    `create table ${schema}.signals (gadget_id ${type}, weight integer)`,
    `insert into ${schema}.signals values ${numbers.map((at) => `(${id((at * 7) % 2000)}, 1)`).join(', ')}`,
  ]
}

const BINARY_TYPES: Readonly<Partial<Record<DialectName, string>>> = {
  postgres: 'bytea',
  mysql: 'binary(16)',
  duckdb: 'blob',
  sqlite: 'blob',
}

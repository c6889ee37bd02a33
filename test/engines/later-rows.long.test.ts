// Half of the rows are profiled and all suggestions accepted: the tests hold on them, and on the rows that come later.
import { openCatalog } from '@stagecraft/catalogs'
import { observeIn } from '@stagecraft/core/inference'
import { expect, test } from 'vitest'
import { acceptAll } from '../accepted.ts'
import { describeOn, schemaOf } from './engine.ts'
import { duckdb } from './duckdb.ts'
import { mariadb } from './mariadb.ts'
import { messyWorld } from './messy-world.ts'
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
  })
}

function fails(line: string): boolean {
  return !line.endsWith(': 0')
}

import type { Config } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { truthNames } from '../dbt/truth.ts'
import { describeOn, type Engine, schemaOf, type Session } from './engine.ts'
import { ENGINES } from './engines.ts'
import { countFailures, generateModels } from './project.ts'
import { findDifference, relationOf, stage } from './stage.ts'
import { loadTable, truthTables } from './truth-tables.ts'

/** Rows that the source system deleted stay as they are. */
const ALL_ROWS: Config = { options: { deletedRows: 'keep' } }

/** The data at hand keeps no key of the two, and rows that live on point to deleted ones. */
function testedIn(schema: string): Config {
  const untested = { options: { addTests: false } }
  return {
    options: { deletedRows: 'flag' },
    sources: { [schema]: { tables: { inventory_level: untested, inventory_quantity: untested } } },
  }
}

/** Every third test has to do where a statement takes long. */
function isAsked({ isSlow }: Engine): (test: unknown, index: number) => boolean {
  return (_, index) => !isSlow || index % 3 === 0
}

const MINUTE = 60_000

for (const engine of ENGINES) {
  describeOn(engine, () => {
    let session: Session | undefined
    beforeAll(async () => {
      session = await engine.open()
    }, MINUTE)
    afterAll(() => session?.close())

    test.each(truthNames)(
      'models of %s have the values of their tables, and no row fails their tests',
      async (database) => {
        if (!session) throw new Error('there is no session')
        const { dialect } = engine
        const raw = await truthTables(database, engine)
        const tables = raw.map(({ table }) => table)
        const faults: string[] = []
        for (const one of raw) {
          await loadTable(one, engine, session)
          const { rows, table } = one
          const fault = await findDifference(session, table, stage(table, dialect, ALL_ROWS)).catch(String)
          if (fault !== undefined) faults.push(`${table.name}: ${fault}`)
          const counted = await session.query(`select count(*) from ${relationOf(table, dialect)}`)
          expect(counted.rows.join(), table.name).toContain(String(rows.length))
        }
        expect(faults).toEqual([])
        expect(tables.length).toBeGreaterThan(5)
        const schema = schemaOf(engine)
        const models = generateModels(tables, dialect, testedIn(schema))
        const asked = models.map((model) => ({ ...model, tests: model.tests.filter(isAsked(engine)) }))
        const failures = await countFailures(asked, { dialect, session, schema })
        expect(failures.filter((line) => !line.endsWith(': 0'))).toEqual([])
        expect(failures.length).toBeGreaterThan(tables.length / 2)
        for (const table of tables) await session.run(`drop table ${relationOf(table, dialect)}`)
      },
      5 * MINUTE,
    )
  })
}

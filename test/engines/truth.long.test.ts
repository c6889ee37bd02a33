import type { Config } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { truthNames } from '../dbt/truth.ts'
import { describeOn, type Session } from './engine.ts'
import { ENGINES } from './engines.ts'
import { findDifference, relationOf, stage } from './stage.ts'
import { loadTable, truthTables } from './truth-tables.ts'

/** Rows that the source system deleted stay as they are. */
const ALL_ROWS: Config = { options: { deletedRows: 'keep' } }

const MINUTE = 60_000

for (const engine of ENGINES) {
  describeOn(engine, () => {
    let session: Session | undefined
    beforeAll(async () => {
      session = await engine.open()
    }, MINUTE)
    afterAll(() => session?.close())

    test.each(truthNames)(
      'models of %s have the names that were planned and the values of their tables',
      async (database) => {
        if (!session) throw new Error('there is no session')
        const tables = await truthTables(database, engine)
        const faults: string[] = []
        for (const raw of tables) {
          await loadTable(raw, engine, session)
          const { rows, table } = raw
          const fault = await findDifference(session, table, stage(table, engine.dialect, ALL_ROWS)).catch(
            String,
          )
          if (fault !== undefined) faults.push(`${table.name}: ${fault}`)
          const counted = await session.query(`select count(*) from ${relationOf(table, engine.dialect)}`)
          expect(counted.rows.join(), table.name).toContain(String(rows.length))
          await session.run(`drop table ${relationOf(table, engine.dialect)}`)
        }
        expect(faults).toEqual([])
        expect(tables.length).toBeGreaterThan(5)
      },
      MINUTE,
    )
  })
}

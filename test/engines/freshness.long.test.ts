import { type LoaderPack, LOADERS } from '@stagecraft/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderJinja } from '../../packages/core/src/verify/sql-parser.ts'
import { describeOn, type Engine, inUtc, type Session } from './engine.ts'
import { ENGINES } from './engines.ts'
import type { RawTable } from './raw-tables.ts'
import { relationOf, run, stage } from './stage.ts'
import { inEngine, loadTable } from './truth-tables.ts'

/** The load times of two rows, as each way of telling them has it; a third row has none. */
const LOADED: Readonly<Record<string, readonly [type: string, first: string, last: string]>> = {
  timestamp: ['TIMESTAMP', "'2024-06-30 23:59:59'", "'2024-07-01 00:30:00'"],
  epoch_seconds: ['BIGINT', '1719791999', '1719793800'],
  epoch_milliseconds: ['BIGINT', '1719791999000', '1719793800000'],
  epoch_microseconds: ['BIGINT', '1719791999000000', '1719793800000000'],
}

const LAST = '2024-07-01 00:30:00'

const PACKS = LOADERS.filter(({ loaded }) => loaded.length > 0)

/** A table of the loader with each of the columns that tell when a row was loaded, in turn. */
function tablesOf(pack: LoaderPack, engine: Engine): readonly RawTable[] {
  return pack.loaded.map(({ as = 'timestamp', column }) => {
    const [type = '', first = '', last = ''] = LOADED[as] ?? []
    const columns = [
      { name: 'id', type: 'INTEGER' },
      { name: column, type },
    ]
    const table = { name: `${pack.name} ${column}`, columns }
    const rows = [first, last, 'null'].map((value, index) => [String(index), value])
    return { table: inEngine(table, engine), rows }
  })
}

for (const engine of ENGINES)
  describeOn(engine, () => {
    let session: Session | undefined
    beforeAll(async () => {
      session = await engine.open()
    })
    afterAll(() => session?.close())

    test('the load time of a source is that of its last row', async () => {
      if (!session) throw new Error('there is no session')
      const faults: string[] = []
      for (const pack of PACKS)
        for (const raw of tablesOf(pack, engine)) {
          await loadTable(raw, engine, session)
          const { table } = raw
          const config = { options: { loader: pack.name } }
          const loadedAt = stage(table, engine.dialect, config).plan.source?.table.loadedAt
          if (loadedAt === undefined) {
            faults.push(`${table.name} tells no load time`)
            continue
          }
          const query = `select max(${renderJinja(loadedAt)}) from ${relationOf(table, engine.dialect)}`
          const { rows } = await run(session, query)
          const found = inUtc((rows[0]?.[0] ?? '').replace(/^string /, ''))
          if (found.replace(/\.0+$/, '') !== LAST) faults.push(`${table.name}: ${loadedAt} is ${found}`)
        }
      expect(faults).toEqual([])
    })
  })

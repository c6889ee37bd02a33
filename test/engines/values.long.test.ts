import { openCatalog } from '@stagecraft/catalogs'
import type { CatalogTable, Config } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conversionTable, findWrongConversions } from './conversions.ts'
import { ENGINES } from './engines.ts'
import { describeOn, type Engine, schemaOf, type Session } from './engine.ts'
import { buildStatements, rawTables } from './raw-tables.ts'
import { findDifference, stage } from './stage.ts'

/** The style in which tables of all names are read, too. */
const PLAIN: Config = {}

const STYLES: readonly (readonly [string, Config])[] = [
  ['dbt-labs', PLAIN],
  ['dbt-labs with no casts', { options: { casts: 'none' } }],
  ['dbt-labs with full casts', { options: { casts: 'full' } }],
  ['dbt-labs with leading commas', { options: { leadingCommas: true, columnOrder: 'source' } }],
  ['dbt-labs with stored names', { naming: { columns: 'keep' } }],
  ['fivetran', { preset: 'fivetran' }],
  ['dbt-codegen', { preset: 'dbt-codegen' }],
]

const MINUTE = 60_000

for (const engine of ENGINES) {
  describeOn(engine, () => {
    let session: Session | undefined
    let tables: readonly CatalogTable[] = []

    beforeAll(async () => {
      const opened = await engine.open()
      session = opened
      tables = await build(engine, opened, opened.catalog)
    }, MINUTE)
    afterAll(() => session?.close())

    const faultsOf = async (on: Session, table: CatalogTable, config: Config): Promise<readonly string[]> => {
      const fault = await findDifference(on, table, stage(table, engine.dialect, config)).catch(String)
      return fault === undefined ? [] : [`${table.name}: ${fault}`]
    }

    test.each(STYLES)(
      'models in the style %s have the names that were planned and the values of their tables',
      async (_, config) => {
        if (!session) throw new Error('there is no session')
        const faults: string[] = []
        const asked = tables.filter(({ columns }) => columns.length > 1 || config === PLAIN)
        for (const table of asked) faults.push(...(await faultsOf(session, table, config)))
        expect(faults).toEqual([])
        expect(asked.length).toBeGreaterThan(config === PLAIN ? 20 : 1)
      },
      MINUTE,
    )

    test('conversions give the values that are meant', async () => {
      if (!session) throw new Error('there is no session')
      const table = tables.find(({ name }) => name === 'conversions')
      if (!table) throw new Error('there is no table of conversions')
      expect(await findWrongConversions(session, table, engine)).toEqual([])
    })
  })
}

/** Builds the raw tables, and reads them back where a catalog can. */
async function build(
  engine: Engine,
  session: Session,
  address: string | undefined,
): Promise<readonly CatalogTable[]> {
  const schema = schemaOf(engine)
  const raw = [...rawTables(engine, schema), conversionTable(engine, schema)]
  for (const table of raw)
    for (const statement of buildStatements(table, engine)) await session.run(statement)
  for (const statement of engine.hidden?.statements ?? []) await session.run(statement)
  if (address === undefined) {
    const hidden = { schema, name: 'hidden', columns: engine.hidden?.columns ?? [] }
    return [...raw.map(({ table }) => table), ...(engine.hidden ? [hidden] : [])]
  }
  const catalog = await openCatalog(address)
  try {
    return await catalog.tables({ schema: { text: schema, quoted: true } })
  } finally {
    await catalog.close()
  }
}

import { toText } from '../dbt/json.ts'
import { refused } from '../network/connection-failed.ts'
import type { Scope, Session } from '../warehouse/warehouse.ts'
import type { Glue } from './glue.ts'
import type { AthenaPlace } from './place.ts'
import { type GlueTables, toTables } from './to-tables.ts'

/** Up to this number of tables are requested one by one; for more, the whole schema is read. */
const MOST_NAMES = 10

/** Creates the session of a catalog over Glue. */
export function glueSession({ address, dataCatalog, schema }: AthenaPlace, glue: Glue): Session {
  const readOne = async (name: string, tables: readonly string[] | undefined): Promise<GlueTables> => {
    if (tables && tables.length <= MOST_NAMES) {
      const found = await Promise.all(tables.map((table) => glue.table(name, table)))
      return { schema: name, tables: found.flatMap((table) => (table ? [table] : [])) }
    }
    const wanted = tables && new Set(tables)
    const all = await glue.tables(name)
    return {
      schema: name,
      tables: wanted ? all.filter((table) => wanted.has(toText(table['Name']) ?? '')) : all,
    }
  }
  const read = async ({ schemas, tables }: Scope): Promise<readonly GlueTables[]> => {
    const answers: GlueTables[] = []
    for (const name of schemas) answers.push(await readOne(name, tables))
    return answers
  }
  return {
    place: async () => ({
      database: dataCatalog,
      defaultSchema: schema,
      isOneSchema: true,
      schemas: (await glue.databases()).map((database) => ({
        name: toText(database['Name']) ?? '',
        isSystem: false,
      })),
    }),
    names: async (schemas) => toTables(await read({ schemas })).tables,
    read: async (scope) => toTables(await read(scope)),
    query: async () => {
      throw refused({ reason: 'Glue cannot read rows', check: 'the catalog of another warehouse' }, address)
    },
    sizes: async (scope) => toTables(await read(scope)).sizes ?? [],
  }
}

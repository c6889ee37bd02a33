import type {
  CheckRow,
  ColumnRow,
  ForeignKeyRow,
  KeyRow,
  Place,
  Session,
  SizeRow,
  TablePlace,
  TableRow,
} from '../warehouse/warehouse.ts'
import { readStorageList, toStorage } from '../warehouse/storage.ts'
import { CHECKS, COLUMNS, FOREIGN_KEYS, KEYS, NAMES, PLACE, SIZES, TABLES } from './queries.ts'

/** Runs one query and returns its rows. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** Creates a session, whose queries run one after the other on one connection; `cancel` stops the running query. */
export function postgresSession(query: Query, cancel?: () => Promise<void>): Session {
  return {
    place: async () => {
      const [place] = await query<Place>(PLACE)
      return place ?? { database: undefined, defaultSchema: undefined, schemas: [] }
    },
    names: (schemas) => query<TablePlace>(NAMES, [schemas]),
    read: async ({ schemas, tables = null }) => {
      const scope = [schemas, tables]
      return {
        tables: (await query<RawTable>(TABLES, scope)).map(toTableRow),
        columns: await query<ColumnRow>(COLUMNS, scope),
        keys: await query<KeyRow>(KEYS, scope),
        foreignKeys: await query<ForeignKeyRow>(FOREIGN_KEYS, scope),
        checks: await query<CheckRow>(CHECKS, scope),
      }
    },
    query: (statement) => query(statement),
    sizes: ({ schemas, tables }) => query<SizeRow>(SIZES, [schemas, tables]),
    ...(cancel && { cancel }),
  }
}

type RawTable = TableRow & { readonly partitionKey: string | null }

function toTableRow({ partitionKey, ...row }: RawTable): TableRow {
  const storage = toStorage({ partitionedBy: readStorageList(partitionKey ?? '', 'postgres') })
  return storage ? { ...row, storage } : row
}

import type { Warehouse } from '../warehouse/warehouse.ts'
import { openInstance } from './instance.ts'
import { duckdbSession } from './session.ts'

/** A database file, open for reading only. */
export async function databaseFile(path: string): Promise<Warehouse> {
  const instance = await openInstance(path, 'file')
  return {
    dialect: 'duckdb',
    withSession: (work) => instance.withConnection((query) => work(duckdbSession(query))),
    close: async () => instance.close(),
  }
}

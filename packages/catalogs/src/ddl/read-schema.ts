import type { CatalogTable, DialectName, Fault } from '@stagecraft/spec'
import { finishTables } from './finish-tables.ts'
import type { SqlFile } from './read-sql-files.ts'
import { readScript } from './read-script.ts'
import { SchemaState } from './schema-state.ts'

/** The tables that scripts make when they are run one after the other, and what could not be read of them. */
export function readSchema(
  files: readonly SqlFile[],
  dialect: DialectName | undefined,
): { readonly tables: readonly CatalogTable[]; readonly faults: readonly Fault[] } {
  const state = new SchemaState()
  const faults = files.flatMap(({ name, sql }) => readScript({ sql, dialect }, name, state))
  state.finish()
  return { tables: finishTables(state, dialect), faults }
}

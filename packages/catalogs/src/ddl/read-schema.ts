import type { CatalogTable, DialectName, Fault } from '@stagecraft/spec'
import { finishTables } from './finish-tables.ts'
import { readScript } from './read-script.ts'
import { SchemaState } from './schema-state.ts'

/** A script and its file. */
export interface SqlFile {
  /** Its path, as given. */
  readonly name: string
  readonly sql: string
}

/** The dialect of scripts, and the dialect of the warehouse with the tables. */
export interface ScriptDialects {
  readonly dialect: DialectName | undefined
  readonly target?: DialectName | undefined
}

/** Applies the scripts in order. Returns the tables and the skipped statements. */
export function readSchema(
  files: readonly SqlFile[],
  { dialect, target }: ScriptDialects,
): { readonly tables: readonly CatalogTable[]; readonly faults: readonly Fault[] } {
  const state = new SchemaState(dialect)
  const faults = files.map(({ name, sql }) => readScript({ sql, dialect, target, name }, state))
  state.finish() // may report more
  return { tables: finishTables(state, dialect), faults: faults.flat() }
}

import { type Catalog, type DialectName, type Fault, StagecraftError, type Warning } from '@stagecraft/spec'
import { invalidInput } from '../faults.ts'
import { listCatalog } from '../list/list-catalog.ts'
import { chooseScriptDialect } from './choose-script-dialect.ts'
import { readSchema } from './read-schema.ts'
import { readSqlFiles } from './read-sql-files.ts'

export interface DdlOptions {
  /** A file of CREATE TABLE statements, or a folder with such files (`*.sql`, at any depth). */
  readonly path: string
  /**
   * The dialect of the statements. It decides how quotes, comments and the case of names are read. Default: what a line
   * `-- dialect: snowflake` at the top of a file says; else what the statements tell by their syntax, as a header of
   * pg_dump does; else `target`. The warnings of the catalog say which it was.
   */
  readonly dialect?: DialectName | undefined
  /**
   * The dialect of the warehouse that has the tables, when it may be another than the script's: unquoted names are then
   * stored as it stores them. Default: the dialect of the statements.
   */
  readonly target?: DialectName | undefined
  /** The encoding of the files. Default: UTF-8, or UTF-16 where the first bytes say so. */
  readonly encoding?: string | undefined
  /** Stops the reading, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the catalog of a schema as dumps, migrations and hand-written files have it, its statements applied in their
 * order: tables, views whose queries tell their columns, types, and what ALTER, DROP, RENAME, COMMENT ON and CREATE
 * UNIQUE INDEX change. All other statements, and data, are skipped. Statements that are not understood are skipped
 * too, with a warning.
 *
 * It uses its own parser, because no available one reads the DDL that warehouses print. Measured on dumps of twelve
 * dialects (27 tables): node-sql-parser 5.4 reads none of the files as they are and 7 of the tables by themselves, it
 * knows neither ENCODE nor OPTIONS, STRUCT, brackets of SQL Server or ENGINE; polyglot-sql 0.12 reads 2 files and 15
 * tables.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a path that cannot be read; INVALID_REQUEST when no table is
 * understood, with everything that was not, by file and line.
 */
export async function ddl({ encoding, path, signal, ...asked }: DdlOptions): Promise<Catalog> {
  const files = await readSqlFiles(path, { encoding, signal })
  const { dialect, warning } = chooseScriptDialect(files, { ...asked, path })
  signal?.throwIfAborted()
  const { faults, tables } = readSchema(files, { dialect, target: asked.target })
  if (tables.length === 0) throw faults.length > 0 ? invalidInput(faults, path) : nothingCreated(path)
  const warnings = [...(warning ? [warning] : []), ...faults.map(toWarning)]
  return listCatalog(tables, { dialect, origin: path, statesDatabase: true, warnings })
}

function toWarning({ expected, line, path, received }: Fault): Warning {
  const message = `${path}, line ${line ?? 1}: ${received} is skipped; expected ${expected}`
  return { code: 'DDL_SKIPPED', message }
}

function nothingCreated(path: string): StagecraftError {
  const expected = 'CREATE TABLE statements with columns'
  const hint = 'tables created from a query with unknown columns, and unknown statements, are skipped'
  return new StagecraftError('INVALID_REQUEST', `${path}: expected ${expected}, found none; ${hint}`, {
    details: { faults: [{ path, expected, received: 'none' }] },
  })
}

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
   * The dialect of the statements. It decides how quotes, comments and the case of names are read. Default:
   * the dialect in a line `-- dialect: snowflake` at the top of a file; otherwise the one that the syntax
   * shows, such as a header of pg_dump; otherwise `target`. The warnings of the catalog state the choice.
   */
  readonly dialect?: DialectName | undefined
  /**
   * The dialect of the warehouse with the tables, if it may differ from that of the script. It determines how
   * unquoted names are stored. Default: the dialect of the statements.
   */
  readonly target?: DialectName | undefined
  /** The encoding of the files. Default: UTF-8, or UTF-16 if the first bytes show it. */
  readonly encoding?: string | undefined
  /** Cancels reading, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Opens the catalog of a schema from dumps, migrations and hand-written files. The statements are applied in
 * order: tables, types, views whose queries show their columns, and the changes of ALTER, DROP, RENAME,
 * COMMENT ON and CREATE UNIQUE INDEX. All other statements, and data, are skipped. Statements that are not
 * understood are skipped with a warning.
 *
 * It uses its own parser, because no available one reads the DDL that warehouses print. Measured on dumps of
 * twelve dialects (27 tables): node-sql-parser 5.4 reads none of the whole files and 7 of the single tables,
 * because it does not support ENCODE, OPTIONS, STRUCT, brackets of SQL Server and ENGINE; polyglot-sql 0.12
 * reads 2 files and 15 tables.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a path that cannot be read; INVALID_REQUEST if no table is
 * understood, with everything that was not understood, by file and line.
 */
export async function ddl({ encoding, path, signal, ...dialects }: DdlOptions): Promise<Catalog> {
  const files = await readSqlFiles(path, { encoding, signal })
  const { dialect, warning } = chooseScriptDialect(files, { ...dialects, path })
  signal?.throwIfAborted()
  const { faults, tables } = readSchema(files, { dialect, target: dialects.target })
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
  return new StagecraftError('INVALID_REQUEST', `${path}: expected ${expected}, got none; ${hint}`, {
    details: { faults: [{ path, expected, received: 'none' }] },
  })
}

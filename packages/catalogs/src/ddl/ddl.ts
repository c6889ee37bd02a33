import { type Catalog, type DialectName, StagecraftError } from '@stagecraft/spec'
import { parseDialect } from '../dialect-option.ts'
import { invalidInput } from '../faults.ts'
import { listCatalog } from '../list/list-catalog.ts'
import { readSchema } from './read-schema.ts'
import { readSqlFiles, type SqlFile } from './read-sql-files.ts'

export interface DdlOptions {
  /** A file of CREATE TABLE statements, or a folder with such files (`*.sql`, at any depth). */
  readonly path: string
  /**
   * The dialect of the statements. It decides how quotes, comments and the case of names are read. Default: what a line
   * `-- dialect: snowflake` at the top of a file says; without one the statements are read as all dialects have them in
   * common, names as they are written.
   */
  readonly dialect?: DialectName | undefined
  /** Stops the reading, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The catalog of a schema as dumps and hand-written files have it: CREATE TABLE, what ALTER TABLE, COMMENT ON, CREATE TYPE
 * and CREATE UNIQUE INDEX add to it. Views, and tables made from a query, have no columns here and are left out; all other
 * statements, and data, are skipped.
 *
 * The reader is our own, because none was found that reads the DDL which warehouses print. Measured on dumps of twelve
 * dialects (27 tables): node-sql-parser 5.4 reads none of the files as they are and 7 of the tables by themselves, it knows
 * neither ENCODE nor OPTIONS, STRUCT, brackets of SQL Server or ENGINE; polyglot-sql 0.12 reads 2 files and 15 tables.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a path that cannot be read; INVALID_REQUEST with every statement that is
 * not understood, by file and line.
 */
export async function ddl({ dialect: asked, path, signal }: DdlOptions): Promise<Catalog> {
  const files = await readSqlFiles(path, signal)
  const dialect = asked ?? dialectOf(files)
  signal?.throwIfAborted()
  const { faults, tables } = readSchema(files, dialect)
  if (faults.length > 0) throw invalidInput(faults, path)
  if (tables.length === 0) throw nothingCreated(path)
  return listCatalog(tables, { dialect, origin: path, statesDatabase: true })
}

function nothingCreated(path: string): StagecraftError {
  const expected = 'CREATE TABLE statements with columns'
  const hint = 'views, tables made from a query and statements that are not known are passed over'
  return new StagecraftError('INVALID_REQUEST', `${path}: expected ${expected}, found none; ${hint}`, {
    details: { faults: [{ path, expected, received: 'none' }] },
  })
}

/** What the first lines of the files say. */
function dialectOf(files: readonly SqlFile[]): DialectName | undefined {
  const named = files.flatMap(({ name, sql }) => {
    const [, text] = /^\s*(?:--|#|\/\*)\s*dialect\s*[:=]\s*(\w+)/im.exec(sql.slice(0, 1000)) ?? []
    return text === undefined ? [] : [{ name, dialect: parseDialect(text, name) }]
  })
  const [first] = named
  const other = named.find(({ dialect }) => dialect !== first?.dialect)
  if (!first || !other) return first?.dialect
  throw new StagecraftError(
    'INVALID_REQUEST',
    `expected one dialect, got ${first.dialect} in ${first.name} and ${other.dialect} in ${other.name}; read them apart`,
    {
      details: {
        faults: [
          { path: other.name, expected: `dialect ${first.dialect}`, received: `dialect ${other.dialect}` },
        ],
      },
    },
  )
}

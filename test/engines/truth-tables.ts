import { DIALECTS } from '@stagecraft/core'
import type { CatalogTable, Column, DialectName } from '@stagecraft/spec'
import { DuckDBInstance, type Json } from '@duckdb/node-api'
import { escapeText, quoteIdentifier } from '../../packages/core/src/sql/identifiers.ts'
import { parseType, translateTable } from '../../packages/core/src/sql/types.ts'
import { readTruth, truthFile, withTruth } from '../dbt/truth.ts'
import { type Engine, schemaOf, type Session } from './engine.ts'
import type { RawTable } from './raw-tables.ts'

/** The tables of a database with its true keys, their types as the engine spells them, and their rows. */
export async function truthTables(database: string, engine: Engine): Promise<readonly RawTable[]> {
  const tables = withTruth(
    readTruth(database).tables.flatMap(({ columns, file, name }) =>
      file === undefined ? [] : [{ schema: database, name, columns: columns.filter(isStored).map(asColumn) }],
    ),
  )
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const read: RawTable[] = []
    for (const table of tables) {
      const { file = '' } = readTruth(database).tables.find(({ name }) => name === table.name) ?? {}
      const names = table.columns.map(({ name }) => `"${name}"`).join(', ')
      const reader = await connection.runAndReadAll(
        `select ${names} from read_parquet('${truthFile(database, file)}')`,
      )
      const rows = reader.getRowsJson().map((row) => row.map(literalIn(table.columns, engine.dialect)))
      read.push({ table: inEngine(table, engine), rows })
    }
    return read
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

type TruthColumn = ReturnType<typeof readTruth>['tables'][number]['columns'][number]

function isStored({ in_data }: TruthColumn): boolean {
  return in_data !== false
}

function asColumn({ duckdb_type, name }: TruthColumn): Column {
  return { name, type: duckdb_type }
}

/** The table in the schema of the engine, its types as it spells them. */
export function inEngine(table: CatalogTable, engine: Engine): CatalogTable {
  const { columns, dialect } = translateTable(table, DIALECTS.duckdb, DIALECTS[engine.dialect])
  return { ...table, columns, schema: schemaOf(engine), ...(dialect && { dialect }) }
}

const BARE = new Set(['integer', 'decimal', 'float', 'boolean'])

/** Prints the value of the column in that place. */
function literalIn(columns: readonly Column[], dialect: DialectName): (value: Json, place: number) => string {
  const bare = columns.map(({ type }) => BARE.has(parseType(type, DIALECTS.duckdb).family))
  return (value, place) => {
    if (value === null) return 'null'
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return bare[place] ? text : `'${escapeText(text, DIALECTS[dialect])}'`
  }
}

/** Rows that go into a table in one statement. */
const BATCH = 500

/** Builds a table of plain literals, many rows at a time. */
export async function loadTable({ rows, table }: RawTable, engine: Engine, session: Session): Promise<void> {
  const quote = (name: string): string => quoteIdentifier(name, DIALECTS[engine.dialect])
  const relation = `${quote(table.schema ?? '')}.${quote(table.name)}`
  const columns = table.columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ')
  await session.run(`create table ${relation} (${columns}) ${engine.tableOptions ?? ''}`)
  for (let start = 0; start < rows.length; start += BATCH) {
    const lines = rows.slice(start, start + BATCH).map((row) => `(${row.join(', ')})`)
    const statement = `insert into ${relation} values ${lines.join(', ')}`
    await (session.insert ? session.insert(statement) : session.run(statement))
  }
}

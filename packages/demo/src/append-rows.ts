import type * as DuckDB from '@duckdb/node-api'
import type { Cell, RawTable } from './raw-table.ts'

/** DuckDB's vectors hold no more values. */
const CHUNK_ROWS = 2048

/** Writes every row of a table as text, which the appender casts to the types of the columns. */
export function appendRows(
  appender: DuckDB.DuckDBAppender,
  table: RawTable,
  { DuckDBDataChunk, VARCHAR }: typeof DuckDB,
): void {
  const columns = Object.keys(table.columns)
  const types = columns.map(() => VARCHAR)
  // A foreign key is checked against flushed rows only, so that a row cannot refer to one of its own chunk.
  const size = table.refersToItself ? 1 : CHUNK_ROWS
  for (let start = 0; start < table.rows.length; start += size) {
    const rows = table.rows.slice(start, start + size)
    const chunk = DuckDBDataChunk.create(types)
    chunk.setRows(rows.map((row) => columns.map((column) => toText(row[column] ?? null))))
    appender.appendDataChunk(chunk)
    appender.flushSync()
  }
  appender.closeSync()
}

function toText(cell: Cell): string | null {
  if (cell === null || typeof cell === 'string') return cell
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

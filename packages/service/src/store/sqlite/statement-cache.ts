import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'

interface Prepared {
  readonly statement: StatementSync
  readonly returnsRows: boolean
}

/** Runs one statement on a connection. */
export type RunStatement = (text: string, parameters: readonly unknown[]) => QueryResult<unknown>

/**
 * Keeps what was prepared, which costs more than most statements themselves.
 *
 * @param limit of statements that are kept; the one that was not used for longest goes first.
 */
export function statementCache(database: DatabaseSync, limit: number): RunStatement {
  const cache = new Map<string, Prepared>()
  const prepared = (text: string): Prepared => {
    const known = cache.get(text)
    cache.delete(text) // and set again: a map keeps the order of insertion
    const entry = known ?? prepare(database, text)
    cache.set(text, entry)
    if (cache.size > limit) cache.delete(cache.keys().next().value ?? text)
    return entry
  }
  return (text, parameters) => {
    const { returnsRows, statement } = prepared(text)
    const values = parameters.map(toInput)
    if (returnsRows) return { rows: statement.all(...values) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

function prepare(database: DatabaseSync, text: string): Prepared {
  const statement = database.prepare(text)
  return { statement, returnsRows: statement.columns().length > 0 }
}

/** A number would be bound as a float: 5 would become '5.0' in a column of text, and 5 / 2 would be 2.5. */
function toInput(value: unknown): SQLInputValue {
  return Number.isSafeInteger(value) ? BigInt(value as number) : (value as SQLInputValue)
}

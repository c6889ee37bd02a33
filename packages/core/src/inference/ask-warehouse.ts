import type { CatalogTable, Column, QueryOptions, TableProfile } from '@stagecraft/spec'
import type { Dialect } from '@stagecraft/dialects'
import { type CheckStatement, checkStatements, readChecks, tablesOf } from './check-statements.ts'
import type { Verify } from './inference.ts'
import {
  formStatements,
  permissionStatement,
  profileStatements,
  readProfile,
  type ResultRow,
} from './profile-statements.ts'
import { printBoundedCount, type Reading, type ReadingOf, readWhole, WHOLE } from './reading.ts'
import { valueStatement, withValues } from './value-statements.ts'

/** Rejects a statement that has no recorded answer yet; another form of it would not help. */
export class Unanswered extends Error {}

/** Runs one statement that only reads, and returns its rows. */
export type Query = (sql: string, options?: QueryOptions) => Promise<readonly ResultRow[]>

/** Keeps the answers to statements, by keys that change with the statement and with the rows that it reads. */
export interface AnswerStore {
  /** Returns undefined if no answer is stored, or it cannot be read. */
  read(key: string): Promise<readonly ResultRow[] | undefined>
  /** Does nothing if the store cannot be written to. */
  write(key: string, rows: readonly ResultRow[]): Promise<void>
}

/**
 * Reads the profile of a table. Runs one query per 60 columns, one more for the forms of texts in a large table, and
 * one that lists the values of columns that may be closed lists. If the warehouse refuses one of the first queries,
 * because it cannot compare a type or read a text, that query is replaced by one that only counts nulls. Rejects as
 * the query does.
 */
export async function profileTable(
  table: CatalogTable,
  query: Query,
  dialect: Dialect,
  reading: Reading = WHOLE,
): Promise<TableProfile> {
  const rows: ResultRow[] = []
  for (const { careful, sql } of profileStatements(table, dialect, reading)) {
    rows.push(
      ...(await query(sql).catch(async (error: unknown) => {
        if (error instanceof Unanswered) throw error
        return query(careful).catch(() => {
          throw error
        })
      })),
    )
  }
  for (const sql of formStatements(table, rows, { dialect, reading })) rows.push(...(await query(sql)))
  const profile = readProfile(table, rows, { dialect, reading })
  const lists = valueStatement(table, profile, { dialect, reading })
  return lists === undefined ? profile : withValues(table, profile, { dialect, rows: await query(lists) })
}

/**
 * Finds the columns of a table that may not be read, if others may: asks about all, then about halves. Returns none if
 * the table as a whole is refused, or if permissions are not the problem.
 */
export async function findForbidden(
  table: CatalogTable,
  query: Query,
  dialect: Dialect,
): Promise<readonly Column[]> {
  const mayRead = (columns: readonly Column[]): Promise<boolean> =>
    query(permissionStatement(table, columns, dialect)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Unanswered) throw error
        return false
      },
    )
  const search = async (columns: readonly Column[]): Promise<readonly Column[]> => {
    if (await mayRead(columns)) return []
    if (columns.length <= 1) return columns
    const middle = Math.ceil(columns.length / 2)
    return [...(await search(columns.slice(0, middle))), ...(await search(columns.slice(middle)))]
  }
  const forbidden = (await mayRead([])) ? await search(table.columns) : []
  return forbidden.length < table.columns.length ? forbidden : []
}

/** Counts the rows of a table, up to one more than a bound. Rejects as the query does. */
export async function countUpTo(
  bound: number,
  table: CatalogTable,
  { dialect, query }: { readonly dialect: Dialect; readonly query: Query },
): Promise<number> {
  const rows = await query(printBoundedCount(table, bound, dialect))
  return readProfile({ ...table, columns: [] }, rows, { dialect }).rows
}

/**
 * Answers checks by querying the warehouse: one query per table whose rows are checked, and one for all small tables
 * together. The query gets the tables that it reads. If it returns undefined, its checks stay open; a query about
 * several tables is then repeated table by table. Rejects as the query does.
 */
export function verifyBy(
  query: (sql: string, tables: readonly CatalogTable[]) => Promise<readonly ResultRow[] | undefined>,
  dialect: Dialect,
  readingOf: ReadingOf = readWhole,
): Verify {
  return async (checks) => {
    const answers = new Map<number, { readonly violations: number; readonly checked: number }>()
    const ask = async (statements: readonly CheckStatement[]): Promise<void> => {
      for (const { answers: numbers, apart, sql } of statements) {
        const tables = new Set(checks.filter((_, number) => numbers.includes(number)).flatMap(tablesOf))
        const rows = await query(sql, [...tables])
        if (rows) for (const [number, answer] of readChecks(rows)) answers.set(number, answer)
        else await ask(apart)
      }
    }
    await ask(checkStatements(checks, dialect, readingOf))
    return checks.map((_, number) => answers.get(number))
  }
}

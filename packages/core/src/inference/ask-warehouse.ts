import type { CatalogTable, TableProfile } from '@stagecraft/spec'
import type { Dialect } from '@stagecraft/dialects'
import { checkStatements, readChecks } from './check-statements.ts'
import type { Verify } from './inference.ts'
import { profileStatements, readProfile, type ResultRow } from './profile-statements.ts'

/** Runs one statement that only reads, and returns its rows. */
export type Query = (sql: string) => Promise<readonly ResultRow[]>

/**
 * Reads the profile of a table: one query per 60 columns. Where the warehouse refuses one, for a type that it cannot
 * compare or a text that is none, nulls alone are counted in it. Rejects as the query does.
 */
export async function profileTable(
  table: CatalogTable,
  query: Query,
  dialect: Dialect,
): Promise<TableProfile> {
  const rows: ResultRow[] = []
  for (const { careful, sql } of profileStatements(table, dialect)) {
    rows.push(
      ...(await query(sql).catch(async (error: unknown) =>
        query(careful).catch(() => {
          throw error
        }),
      )),
    )
  }
  return readProfile(table, rows, dialect)
}

/**
 * Answers checks by asking the warehouse, one query per table whose rows are checked. A query that answers undefined
 * leaves its checks open. Rejects as the query does.
 */
export function verifyBy(
  query: (sql: string) => Promise<readonly ResultRow[] | undefined>,
  dialect: Dialect,
): Verify {
  return async (checks) => {
    const answers = new Map<number, { readonly violations: number; readonly checked: number }>()
    for (const { sql } of checkStatements(checks, dialect)) {
      for (const [number, answer] of readChecks((await query(sql)) ?? [])) answers.set(number, answer)
    }
    return checks.map((_, number) => answers.get(number))
  }
}

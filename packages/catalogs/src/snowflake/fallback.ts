import type { Row, Statement } from '../warehouse/statement.ts'
import { isTooMuch, lacksWarehouse, SnowflakeRefusal } from './failure.ts'
import { fromShown, showPage, showStatement } from './show.ts'
import type { Run } from './sql-api.ts'
import { statements } from './statements.ts'
import { cellOf, MOST_SHOWN } from './to-tables.ts'

/** The number of names in one statement, if information_schema refuses to return a whole schema. */
const NAMES_AT_ONCE = 500

/**
 * Replaces statements that information_schema refuses: with SHOW if no warehouse is active, and with groups
 * of table names if a schema is too large.
 */
export function withFallback(run: Run, database: string): Run {
  return async (statement, signal) => {
    const show = showStatement(statement, database)
    try {
      return await run(statement, signal)
    } catch (error) {
      if (show === undefined) throw error
      const [schema = '', ...tables] = statement.values
      if (isTooMuch(error) && statement.name !== 'schemas' && tables.length === 0) {
        const names = await shownNames(schema)
        return byNames(statement, names)
      }
      if (!lacksWarehouse(error) && !isTooMuch(error)) throw error
      const rows = await (statement.name === 'columns' ? allColumns(show) : allPages(show))
      return fromShown(statement.name, rows)
    }

    function query(text: string): Promise<readonly Row[]> {
      return run({ name: statement.name, text, values: [] }, signal)
    }

    async function allPages(show: string): Promise<readonly Row[]> {
      const rows: Row[] = []
      for (;;) {
        const last = rows.at(-1)
        const page = await query(showPage(show, last && String(cellOf(last, 'name'))))
        rows.push(...page)
        if (page.length < MOST_SHOWN) return rows
      }
    }

    /** Reads columns, for which SHOW has no pages. An incomplete list fails, because tables would lack columns. */
    async function allColumns(show: string): Promise<readonly Row[]> {
      const rows = await query(show)
      if (rows.length < MOST_SHOWN) return rows
      const message = `SHOW returns at most ${MOST_SHOWN} columns, and the schema has more: name a warehouse (?warehouse=)`
      throw new SnowflakeRefusal('', message)
    }

    async function shownNames(schema: string): Promise<readonly string[]> {
      const show = showStatement({ name: 'tables', text: '', values: [schema] }, database) ?? ''
      return (await allPages(show)).map((row) => String(cellOf(row, 'name')))
    }

    async function byNames(
      { name, values: [schema = ''] }: Statement,
      names: readonly string[],
    ): Promise<readonly Row[]> {
      const rows: Row[] = []
      for (let start = 0; start < names.length; start += NAMES_AT_ONCE) {
        const tables = names.slice(start, start + NAMES_AT_ONCE)
        const part = statements({ database, schema, tables }).find((source) => source.name === name)
        if (part) rows.push(...(await run(part, signal)))
      }
      return rows
    }
  }
}

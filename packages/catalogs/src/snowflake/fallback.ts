import type { Row, Statement } from '../warehouse/statement.ts'
import { isTooMuch, lacksWarehouse, SnowflakeRefusal } from './failure.ts'
import { fromShown, showPage, showStatement } from './show.ts'
import type { Run } from './sql-api.ts'
import { statements } from './statements.ts'
import { cellOf, MOST_SHOWN } from './to-tables.ts'

/** Names in one statement, where information_schema refuses to read a whole schema at once. */
const NAMES_AT_ONCE = 500

/**
 * Runs statements of information_schema another way where it refuses: by SHOW where no warehouse is active, and by
 * the names of tables, some at a time, where a schema is too large.
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
      const rows = await (statement.name === 'columns' ? allColumns(show) : pages(show))
      return fromShown(statement.name, rows)
    }

    function ask(text: string): Promise<readonly Row[]> {
      return run({ name: statement.name, text, values: [] }, signal)
    }

    async function pages(what: string): Promise<readonly Row[]> {
      const rows: Row[] = []
      for (;;) {
        const last = rows.at(-1)
        const page = await ask(showPage(what, last && String(cellOf(last, 'name'))))
        rows.push(...page)
        if (page.length < MOST_SHOWN) return rows
      }
    }

    /** Columns have no pages, and a partial table would be worse than none. */
    async function allColumns(what: string): Promise<readonly Row[]> {
      const rows = await ask(what)
      if (rows.length < MOST_SHOWN) return rows
      const message = `SHOW gives ${MOST_SHOWN} columns, and the schema has more: name a warehouse (?warehouse=)`
      throw new SnowflakeRefusal('', message)
    }

    async function shownNames(schema: string): Promise<readonly string[]> {
      const what = showStatement({ name: 'tables', text: '', values: [schema] }, database) ?? ''
      return (await pages(what)).map((row) => String(cellOf(row, 'name')))
    }

    async function byNames(
      { name, values: [schema = ''] }: Statement,
      names: readonly string[],
    ): Promise<readonly Row[]> {
      const rows: Row[] = []
      for (let start = 0; start < names.length; start += NAMES_AT_ONCE) {
        const tables = names.slice(start, start + NAMES_AT_ONCE)
        const part = statements({ database, schema, tables }).find((one) => one.name === name)
        if (part) rows.push(...(await run(part, signal)))
      }
      return rows
    }
  }
}

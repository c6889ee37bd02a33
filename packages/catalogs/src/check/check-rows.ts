import type { Catalog, CatalogTable, TableSize } from '@stagecraft/spec'
import type { CatalogForm } from '../forms.ts'
import { quoteName } from '../warehouse/statement.ts'
import type { CheckStep } from './check-step.ts'
import { countOf, timed } from './timed.ts'

interface Checked {
  readonly catalog: Catalog
  readonly form: CatalogForm
  readonly tables: readonly CatalogTable[]
  /** In the order of the tables. */
  readonly sizes: readonly TableSize[]
  readonly signal: AbortSignal | undefined
  readonly user: string | undefined
}

/** The number of tables to try. A query without rows is cheap. */
const TRIED_TABLES = 20
/** If none of them is readable, more are tried, up to this number in total. */
const MOST_TRIED_TABLES = 200
/** The maximum number of rows of the table that is read completely. */
const MOST_ROWS = 20_000
/** The time limit for a statement to end after it was stopped. */
const STOP_SECONDS = 10
const START_MILLISECONDS = 500
const NO_ROWS = 'this catalog does not read rows'

/** Checks which tables the user may read, and returns the readable ones. */
export async function checkRights(
  checked: Checked,
): Promise<readonly [CheckStep, readonly CatalogTable[] | undefined]> {
  const { catalog, form, tables, signal, user } = checked
  const name = 'rights'
  if (!catalog.query || !catalog.dialect) return [{ name, outcome: 'skipped', told: NO_ROWS }, undefined]
  const tried: CatalogTable[] = []
  const refused: { readonly table: CatalogTable; readonly reason: string }[] = []
  const [step] = await timed(
    name,
    async () => {
      for (const table of tables.slice(0, MOST_TRIED_TABLES)) {
        if (tried.length >= TRIED_TABLES && tried.length > refused.length) break
        signal?.throwIfAborted()
        tried.push(table)
        const [read] = await timed(
          name,
          () => tryTable(table, catalog, signal),
          () => '',
        )
        if (read.outcome === 'fails') refused.push({ table, reason: read.told })
      }
    },
    () => {
      const [first] = refused
      const untried = tables.length - tried.length
      const others =
        untried === 0 ? '' : ` (${untried} ${untried === 1 ? 'other was' : 'others were'} not tried)`
      if (!first) return `all ${tried.length} tables that were tried can be read${others}`
      const told = `${refused.length} of ${tried.length} tables that were tried cannot be read${others}; the first is ${nameOf(first.table, catalog)}: ${first.reason}`
      return { outcome: 'fails', told, ...remedyOf({ form, user, table: first.table, catalog }) }
    },
  )
  const denied = new Set(refused.map(({ table }) => table))
  return [step, tried.filter((table) => !denied.has(table))]
}

/**
 * Queries a table without returning rows or, if that is free, the cost of all its rows. Rejects if the table
 * is not readable.
 */
async function tryTable(
  table: CatalogTable,
  catalog: Catalog,
  signal: AbortSignal | undefined,
): Promise<void> {
  const from = nameOf(table, catalog)
  if (catalog.bytesRead) await catalog.bytesRead(`select * from ${from}`, { signal })
  else await catalog.query?.(`select * from ${from} where 1 = 0`, { signal })
}

interface Missing extends Pick<Checked, 'form' | 'user' | 'catalog'> {
  readonly table: CatalogTable
}

/** Returns the missing grants, with their names filled in. */
export function remedyOf({ catalog, form, table, user }: Missing): Pick<CheckStep, 'remedy'> {
  const { dialect } = catalog
  if (form.grants === undefined || !dialect) return {}
  const quoted = (text: string): string => quoteName(text, dialect)
  const remedy = form.grants
    .replaceAll('{database}', () => quoted(table.database ?? ''))
    .replaceAll('{schema}', () => quoted(table.schema ?? ''))
    .replaceAll('{user}', () => (user === undefined ? '<user>' : quoted(user)))
  return { remedy }
}

/** Reports the cost of reading all rows of the first table, if the warehouse estimates it. */
export async function checkCost({
  catalog,
  readable: [table],
  signal,
}: Pick<Checked, 'catalog' | 'signal'> & { readonly readable: readonly CatalogTable[] }): Promise<
  readonly CheckStep[]
> {
  if (!catalog.bytesRead || !table) return []
  const from = nameOf(table, catalog)
  const [step] = await timed(
    'dry run',
    async () => catalog.bytesRead?.(`select * from ${from}`, { signal }),
    (bytes = 0) => `a query of all rows of ${from} reads ${bytes} bytes`,
  )
  return [step]
}

/** Reads the largest of the small tables completely. */
export async function checkRows(
  checked: Checked & { readonly readable: readonly CatalogTable[] },
): Promise<CheckStep> {
  const { catalog, readable, signal, sizes, tables } = checked
  const name = 'rows'
  const query = catalog.query?.bind(catalog)
  if (!query) return { name, outcome: 'skipped', told: NO_ROWS }
  const small = readable
    .map((table) => ({ table, rows: mostRows(sizes[tables.indexOf(table)]) }))
    .filter(({ rows }) => rows <= MOST_ROWS)
    .toSorted((a, b) => b.rows - a.rows)[0]
  if (!small)
    return {
      name,
      outcome: 'skipped',
      told: `no readable table is known to have at most ${MOST_ROWS} rows`,
    }
  const from = nameOf(small.table, catalog)
  const [step] = await timed(
    name,
    () => query(`select * from ${from}`, { signal }),
    (rows) => `${countOf(rows.length, 'row')} of ${from}`,
  )
  return step
}

function mostRows(size: TableSize | undefined): number {
  return size?.rows ?? size?.mostRows ?? Infinity
}

/** Starts a long statement, stops it, and checks that it ends and the catalog still works. */
export async function checkCancel({ catalog, form, signal }: Checked): Promise<CheckStep> {
  const name = 'cancel'
  const query = catalog.query?.bind(catalog)
  if (!query) return { name, outcome: 'skipped', told: NO_ROWS }
  if (form.slow === undefined)
    return { name, outcome: 'skipped', told: 'this engine runs in this process and cannot be stopped' }
  const statement = form.slow
  const stop = new AbortController()
  const [step] = await timed(
    name,
    async () => {
      const running = query(statement, {
        signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
      })
      const isQuick = await Promise.race([running.then(() => true), wait(START_MILLISECONDS)])
      const before = performance.now()
      stop.abort(new Error('stopped by the check'))
      // a stopped statement may fail or return partial rows
      const ended = running.then(
        () => true,
        () => true,
      )
      const isOver = await Promise.race([ended, wait(STOP_SECONDS * 1000)])
      const milliseconds = Math.round(performance.now() - before)
      await query('select 1 as one', { signal })
      return { isOver, isQuick, milliseconds }
    },
    ({ isOver, isQuick, milliseconds }) => {
      if (isQuick) return { outcome: 'warns', told: 'the statement ended before it could be stopped' }
      return isOver
        ? `a statement ended ${milliseconds} ms after it was stopped, and the next one ran`
        : { outcome: 'fails', told: `a statement continued for ${STOP_SECONDS} s after it was stopped` }
    },
  )
  return step
}

function wait(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, undefined).unref()
  })
}

function nameOf({ database, location, name, schema }: CatalogTable, { dialect }: Catalog): string {
  if (location !== undefined || !dialect) return location ?? name
  return [database, schema, name]
    .flatMap((part) => (part === undefined ? [] : [quoteName(part, dialect)]))
    .join('.')
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { DIALECTS } from '@stagecraft/core'
import { checkStatements, observeTables, type Query, readChecks } from '@stagecraft/core/inference'
import type { CatalogTable, ColumnValue, Observation } from '@stagecraft/spec'

/** A test that the first rows of a table call for, and whether all of its rows keep it. */
export interface LaterTest {
  readonly kind: 'key' | 'not_null' | 'range' | 'reference' | 'values'
  /** Spelled for people: `sakila.film (rating)`. */
  readonly subject: string
  /** The severity that a generated test has. */
  readonly severity: 'error' | 'warn'
  readonly failsOnFirst: boolean
  readonly failsOnAll: boolean
}

interface Entry {
  readonly name: string
  readonly rows?: number | null
  readonly file?: string
  readonly columns: readonly {
    readonly name: string
    readonly duckdb_type: string
    readonly in_data?: boolean
  }[]
}

const dialect = DIALECTS.duckdb
const FEWEST_ROWS = 400

/**
 * Infers from the first share of the rows of each table, in their order, and holds the result against all rows.
 * Tables of less than 400 rows are left out.
 */
export async function measureLaterRows(folder: string, share: number): Promise<readonly LaterTest[]> {
  const tests: LaterTest[] = []
  for (const set of readdirSync(folder).toSorted())
    tests.push(...(await measureSet(join(folder, set), set, share)))
  return tests
}

async function measureSet(folder: string, set: string, share: number): Promise<readonly LaterTest[]> {
  const { tables } = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as {
    tables: readonly Entry[]
  }
  const large = tables.filter(({ file, rows }) => file !== undefined && (rows ?? 0) >= FEWEST_ROWS)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const query: Query = async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson()
    const first = large.map((entry) => toTable(entry, folder, Math.floor((entry.rows ?? 0) * share)))
    const whole = new Map(large.map((entry) => [entry.name, toTable(entry, folder, entry.rows ?? 0)]))
    const { tables: observed } = await observeTables(first, { dialect, query })
    const tests: LaterTest[] = []
    for (const table of observed) {
      for (const { condition, ...test } of testsOf(table, set)) {
        const counts = async (of: (name: string) => CatalogTable | undefined): Promise<boolean> =>
          (await condition(of, query)) > 0
        tests.push({
          ...test,
          failsOnFirst: await counts((name) => first.find((one) => one.name === name)),
          failsOnAll: await counts((name) => whole.get(name)),
        })
      }
    }
    return tests
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function toTable({ columns, file = '', name }: Entry, folder: string, rows: number): CatalogTable {
  const path = `'${join(folder, file)}', file_row_number = true`
  const present = columns.filter(({ in_data }) => in_data !== false)
  return {
    name,
    columns: present.map((column) => ({ name: column.name, type: column.duckdb_type })),
    location: `(select * exclude (file_row_number) from read_parquet(${path}) where file_row_number < ${rows})`,
  }
}

type Condition = (of: (name: string) => CatalogTable | undefined, query: Query) => Promise<number>

type Planned = Pick<LaterTest, 'kind' | 'severity' | 'subject'> & { readonly condition: Condition }

function testsOf({ name, observed }: CatalogTable, set: string): readonly Planned[] {
  if (!observed) return []
  const subject = (columns: readonly string[]): string => `${set}.${name} (${columns.join(', ')})`
  const quote = (column: string): string => `"${column.replaceAll('"', '""')}"`
  const where =
    (condition: string): Condition =>
    async (of, query) =>
      Number((await query(`select count(*) as n from ${of(name)?.location} where ${condition}`))[0]?.['n'])
  return [
    ...keyTests(name, observed, subject),
    ...(observed.references ?? []).map(({ columns, references }): Planned => ({
      kind: 'reference',
      subject: subject(columns),
      severity: 'warn',
      condition: async (of, query) => {
        const [child, parent] = [of(name), of(references.table.name)]
        if (!child || !parent) return 0
        const check = {
          kind: 'contained',
          child: { table: child, columns },
          parent: { table: parent, columns: references.columns },
        } as const
        return violations([check], query)
      },
    })),
    ...(observed.values ?? []).map(({ column, values }): Planned => ({
      kind: 'values',
      subject: subject([column]),
      severity: 'warn',
      condition: where(`${quote(column)} not in (${values.map(literal).join(', ')})`),
    })),
    ...(observed.notNull ?? []).map((column): Planned => ({
      kind: 'not_null',
      subject: subject([column]),
      severity: 'warn',
      condition: where(`${quote(column)} is null`),
    })),
    ...(observed.ranges ?? []).map(({ column, max = Infinity, min = -Infinity }): Planned => ({
      kind: 'range',
      subject: subject([column]),
      severity: 'warn',
      condition: where(`${quote(column)} < ${bound(min)} or ${quote(column)} > ${bound(max)}`),
    })),
  ]
}

function keyTests(
  name: string,
  { key, rows }: Observation,
  subject: (columns: readonly string[]) => string,
): readonly Planned[] {
  if (!key) return []
  return [
    {
      kind: 'key',
      subject: subject(key.columns),
      severity: rows >= 100 && key.confidence >= 0.97 ? 'error' : 'warn',
      condition: async (of, query) => {
        const table = of(name)
        return table ? violations([{ kind: 'unique', key: { table, columns: key.columns } }], query) : 0
      },
    },
  ]
}

async function violations(checks: Parameters<typeof checkStatements>[0], query: Query): Promise<number> {
  let found = 0
  for (const { sql } of checkStatements(checks, dialect)) {
    for (const { violations: count } of readChecks(await query(sql)).values()) found += count
  }
  return found
}

function literal(value: ColumnValue): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

function bound(value: number): string {
  return Number.isFinite(value) ? String(value) : `'${value}'::double`
}

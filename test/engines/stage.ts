import { DIALECTS, generate } from '@stagecraft/core'
import type { CatalogTable, Config, DialectName, GenerationRequest } from '@stagecraft/spec'
import { planContexts } from '../../packages/core/src/edit/testing/plan-contexts.ts'
import type { Plan } from '../../packages/core/src/plan/plan.ts'
import { planStaging } from '../../packages/core/src/plan/staging.ts'
import { printSourceName } from '../../packages/core/src/source-name.ts'
import { foldCase, quoteIdentifier } from '../../packages/core/src/sql/identifiers.ts'
import { renderJinja } from '../../packages/core/src/verify/sql-parser.ts'
import type { Answer, Row, Session } from './engine.ts'

/** A model as dbt would send it to the warehouse, and what it was printed from. */
export interface Staged {
  readonly sql: string
  readonly plan: Plan
  readonly dialect: DialectName
}

export function stage(table: CatalogTable, dialect: DialectName, config: Config = {}): Staged {
  const item = { request: requestFor(table, dialect), table }
  const context = { dialect, config }
  const [planned] = planContexts([item], context)
  if (!planned) throw new Error(`nothing is planned for ${table.name}`)
  const { code } = generate(item.request, table, context)
  return { sql: compile(code, relationOf(table, dialect)), plan: planStaging(planned), dialect }
}

/** The request for the model of a table. */
export function requestFor(table: CatalogTable, dialect: DialectName): GenerationRequest {
  const name = { database: undefined, schema: table.schema ?? 'raw', table: table.name }
  return { type: 'staging', source: printSourceName(name, DIALECTS[dialect]) }
}

/** The raw table as dbt refers to it. */
export function relationOf(table: CatalogTable, dialect: DialectName): string {
  return [table.schema ?? 'raw', table.name].map((part) => quoteIdentifier(part, DIALECTS[dialect])).join('.')
}

/** The SQL of a model as dbt sends it. */
export function compile(code: string, relation: string): string {
  return renderJinja(code).replaceAll('jinja_relation', () => relation)
}

/** The names that the warehouse gives the columns of a model. */
function namesIn({ dialect, plan: { columns } }: Staged): readonly string[] {
  return columns.map(({ name, quoted }) => (quoted ? name : foldCase(name, DIALECTS[dialect])))
}

/**
 * Runs a model: its columns are called as planned and hold, row by row, what the raw table holds.
 *
 * @returns What is wrong, or undefined.
 */
export async function findDifference(
  session: Session,
  table: CatalogTable,
  staged: Staged,
): Promise<string | undefined> {
  const { dialect, plan, sql } = staged
  const raw = await session.query(rawQuery(table, dialect))
  const model = await run(session, sql)
  const names = namesIn(staged)
  if (names.join('\n') !== model.columns.join('\n'))
    return `columns ${JSON.stringify(model.columns)}, planned were ${JSON.stringify(names)}\n${sql}`
  const places = plan.columns.map(({ source }) => table.columns.findIndex(({ name }) => name === source))
  const wanted = sorted(raw.rows.map((row) => places.map((place) => row[place] ?? null)))
  const found = sorted(model.rows)
  if (wanted.length !== found.length) return `${found.length} rows, ${wanted.length} were there\n${sql}`
  const wrong = places.findIndex((_, place) => wanted.some((row, at) => row[place] !== found[at]?.[place]))
  if (wrong < 0) return undefined
  const show = (rows: readonly Row[]): string => JSON.stringify(rows.map((row) => row[wrong]))
  const { expression, source } = plan.columns[wrong] ?? {}
  return `${source} as ${expression?.join(' ')} is ${show(found)}, in the table it is ${show(wanted)}`
}

/** Every column by its name, because `select *` leaves out some. */
function rawQuery(table: CatalogTable, dialect: DialectName): string {
  const names = table.columns.map(({ name }) => quoteIdentifier(name, DIALECTS[dialect]))
  return `select ${names.join(', ')} from ${relationOf(table, dialect)}`
}

export async function run(session: Session, sql: string): Promise<Answer> {
  try {
    return await session.query(sql)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${sql}`, { cause: error })
  }
}

function sorted(rows: readonly Row[]): readonly Row[] {
  const keyed = rows.map((row) => ({ row, key: JSON.stringify(row) }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row)
}

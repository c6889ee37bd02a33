import { nearest } from '@stagecraft/analysis'
import { chooseDialect, type EditedItem, readTables } from '@stagecraft/core/run'
import { type ExplainedTable, explainProject } from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import { type Explanation, type GenerationOptions, type ModelType, StagecraftError } from '@stagecraft/spec'
import type { Opened } from '../commands/shared-flags.ts'
import { planInput, type Planning } from './make-plan.ts'

/** The subject of an explanation: a table with its model, one of its columns, or all tables of a dbt source. */
export type Explained =
  | { readonly kind: 'model'; readonly explanation: Explanation }
  | { readonly kind: 'column'; readonly explanation: Explanation }
  | { readonly kind: 'source'; readonly name: string; readonly explanations: readonly Explanation[] }

export interface Question {
  /** `stg_shop__orders`, `stg_shop__orders.order_id`, `raw.shop.orders`, `shop`. */
  readonly wanted: string
  readonly type: ModelType
  readonly options: GenerationOptions
}

/** Explains from the tables in the lock, without a warehouse. */
export async function explainFromLock(question: Question, planning: Planning): Promise<Explained> {
  const locked = [...planning.project.lock.values()]
  const items = locked.map(({ item }) => item).filter(({ request }) => request.type === question.type)
  const dialect = chooseDialect(planning.context)
  const tables = await explainProject(planInput(items, [], { ...planning, dialect }))
  const found = resolve(question.wanted, tables)
  if (found) return found
  throw notFound(question.wanted, tables, { where: 'stagecraft.lock', project: planning.project })
}

/** Explains from the tables of a catalog. Reads neighbouring tables too, because references lead to their models. */
export async function explainFromCatalog(
  question: Question,
  { catalog, signal }: Pick<Opened, 'catalog' | 'signal'>,
  planning: Planning,
): Promise<Explained> {
  const { context } = planning
  const dialect = chooseDialect(context)
  let tables: readonly ExplainedTable[] = []
  for (const names of placesOf(question, planning)) {
    const read = await readTables(catalog, names, {
      config: context.config,
      dialect: DIALECTS[dialect],
      keepsGoing: true,
      signal,
    })
    const items = read.tables.map(({ name, table }): EditedItem => ({
      request: { type: question.type, source: name, options: question.options },
      table,
    }))
    if (items.length === 0) continue
    tables = await explainProject(planInput(items, [], { ...planning, dialect }))
    const found = resolve(question.wanted, tables)
    if (found) return found
  }
  throw notFound(question.wanted, tables, { where: 'the catalog', project: planning.project })
}

/** Returns the tables to search, smallest scope first; the last one is the whole catalog. */
function placesOf(
  { type, wanted }: Question,
  { context, project }: Planning,
): readonly (readonly string[])[] {
  const locked = [...project.lock.values()]
    .filter(({ item }) => item.request.type === type)
    .filter(({ item, model }) => {
      const names = [model.name, item.request.source].map((name) => name.toLowerCase())
      return names.some((name) => isNamed(wanted, name))
    })
    .map(({ item }) => schemaOf(item.request.source))
  const parts = wanted.split('.')
  const dotted = [parts.slice(0, -1), parts.slice(0, -2), parts].filter((schema) => schema.length > 0)
  const configured = Object.entries(context.config.sources ?? {}).flatMap(([name, { exclude }]) =>
    exclude ? [] : [`${name}.*`],
  )
  const narrow = [locked, ...dotted.map((schema) => [`${schema.join('.')}.*`]), configured]
  return [...narrow.filter((names) => names.length > 0).map((names) => [...new Set(names)]), []]
}

function schemaOf(source: string): string {
  return source.replace(/(?:"(?:[^"]|"")*"|[^."]+)$/, '*')
}

/** Returns true if a text is a name, the end of one, or one of its columns. */
function isNamed(wanted: string, name: string): boolean {
  const lower = wanted.toLowerCase()
  return name === lower || name.endsWith(`.${lower}`) || lower.startsWith(`${name}.`)
}

/** The error for a model that a person wrote and that does not stage a table; undefined if there is none. */
function ownModel(wanted: string, { index }: Planning['project']): StagecraftError | undefined {
  const name = wanted.toLowerCase()
  const model = index?.models.find(
    (one) => name === one.name.toLowerCase() || name.startsWith(`${one.name.toLowerCase()}.`),
  )
  if (!model) return undefined
  const received = `"${wanted}"; ${model.path} is written by a person`
  const [read] = model.reads
  const suggestion =
    read && model.reads.length === 1
      ? `stagecraft explain ${read.source}.${read.table} explains the table that it reads`
      : `stagecraft lineage ${model.name} shows what it reads`
  return StagecraftError.invalid(
    { path: 'what', expected: 'a model that stages a table', received },
    { suggestion },
  )
}

/** @throws {StagecraftError} INVALID_REQUEST for a name that several tables have, and for a missing column. */
function resolve(wanted: string, tables: readonly ExplainedTable[]): Explained | undefined {
  const whole = tablesNamed(wanted, tables)
  const [only] = whole
  if (whole.length > 1) throw ambiguous(wanted, whole)
  if (only) return { kind: 'model', explanation: only.explain() }
  const sourceTables = tables.filter(({ source }) => source.toLowerCase() === wanted.toLowerCase())
  if (sourceTables.length > 0)
    return { kind: 'source', name: wanted, explanations: sourceTables.map((table) => table.explain()) }
  const dot = wanted.lastIndexOf('.')
  const owners = dot < 0 ? [] : tablesNamed(wanted.slice(0, dot), tables)
  if (owners.length > 1) throw ambiguous(wanted.slice(0, dot), owners)
  return owners[0] && explainColumn(wanted.slice(dot + 1), owners[0])
}

function tablesNamed(name: string, tables: readonly ExplainedTable[]): readonly ExplainedTable[] {
  const lower = name.toLowerCase()
  const isName = ({ asked, model, source, table }: ExplainedTable): boolean =>
    [model, asked, `${source}.${table}`].some((other) => other.toLowerCase() === lower)
  const exact = tables.filter(isName)
  return exact.length > 0 ? exact : tables.filter(({ asked }) => asked.toLowerCase().endsWith(`.${lower}`))
}

function explainColumn(column: string, { explain }: ExplainedTable): Explained {
  const explanation = explain()
  const lower = column.toLowerCase()
  const { columns, model } = explanation
  const found =
    columns.find(({ name }) => name?.toLowerCase() === lower) ??
    columns.find((one) => one.column?.toLowerCase() === lower)
  if (found) {
    const own = found.column ?? found.name
    const warnings = explanation.warnings.filter((warning) => warning.column === own)
    return { kind: 'column', explanation: { ...explanation, decisions: [], columns: [found], warnings } }
  }
  const names = columns.flatMap(({ name }) => name ?? [])
  const close = nearest(column, new Set(names))
  throw StagecraftError.invalid(
    { path: 'what', expected: `a column of ${model}`, received: `"${column}"` },
    {
      suggestion:
        close === undefined ? `its columns are ${names.join(', ')}` : `did you mean ${model}.${close}?`,
    },
  )
}

function ambiguous(name: string, tables: readonly ExplainedTable[]): StagecraftError {
  const names = tables.map(({ asked, model }) => `${asked} (${model})`).join(', ')
  return StagecraftError.invalid(
    { path: 'what', expected: 'the name of one model', received: `"${name}", which names ${names}` },
    { suggestion: 'name the model' },
  )
}

interface Searched {
  /** The place that was searched. */
  readonly where: string
  readonly project: Planning['project']
}

function notFound(
  wanted: string,
  tables: readonly ExplainedTable[],
  { project, where }: Searched,
): StagecraftError {
  const own = ownModel(wanted, project)
  if (own) return own
  const names = tables.flatMap(({ asked, model, source, table }) => [
    model,
    asked,
    `${source}.${table}`,
    source,
  ])
  const dot = wanted.lastIndexOf('.')
  const close =
    nearest(wanted, new Set(names)) ?? (dot < 0 ? undefined : nearest(wanted.slice(0, dot), new Set(names)))
  const expected = `a model, column or source of ${where}, or the code of a warning or an error`
  const suggestion =
    close === undefined ? 'stagecraft explain --help shows examples' : `did you mean ${close}?`
  return new StagecraftError(
    'INVALID_REQUEST',
    `no model, column, source or code is called "${wanted}" in ${where}; ${suggestion}`,
    { details: { faults: [{ path: 'what', expected, received: `"${wanted}"` }], suggestion } },
  )
}

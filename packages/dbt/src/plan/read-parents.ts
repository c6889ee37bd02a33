import { lookUp } from '@stagecraft/core/run'
import type { Config, ProjectModel, Table, TableReference } from '@stagecraft/spec'
import { finalColumns } from '../merge/final-columns.ts'
import type { SqlSyntax } from '../merge/scan-sql.ts'
import { sourceKeys } from './named-settings.ts'
import { columnRead, filtersMore, joinsTables } from './own-sql.ts'
import { withDeclaredNames } from './overlay-config.ts'
import type { PlanInput } from './plan-input.ts'
import { findReaders, findSource, mayStage } from './project-view.ts'
import { spelledName } from './selected-names.ts'

/**
 * Returns the input with the models of referenced tables under the names that the project declares, and with the
 * columns that they select besides the documented ones, so that a foreign key to a person's model can be tested. Of
 * models that are not generated, it also tells which raw columns they pass on and whether they filter rows.
 */
export async function readParents<Input extends PlanInput>(input: Input): Promise<Input> {
  const { project } = input.setup
  const parents = parentsOf(input)
  const generated = new Set([...input.lock.values()].map(({ model }) => model.path))
  const found = readersOf(input, parents)
  if (!project || found.length === 0) return input
  const isPlanned = plannedTables(input)
  // the run itself knows what it generates
  const others = found.filter(({ parent, path }) => !generated.has(path) || !isPlanned(parent))
  const paths = new Map(others.map(({ name, path }) => [name, path]))
  const models = await Promise.all(
    project.models.map(async (model) => {
      const path = paths.get(model.name)
      const text = path === undefined ? undefined : await input.read(path)
      if (path === undefined || text === undefined) return model
      const columns = plainColumns(text, input.syntax)
      const known =
        columns.length === 0
          ? model
          : { ...model, columns: [...(model.columns ?? []), ...columns.map(({ name }) => name)] }
      return generated.has(path) ? known : { ...known, ...readPersonal(text, columns, input.syntax) }
    }),
  )
  const config = namedParents(input, parents)
  return { ...input, setup: { ...input.setup, config, project: { ...project, models } } }
}

/** Names the models of referenced tables that are not generated in this run. */
function namedParents({ items, lock, project, setup }: PlanInput, parents: readonly Parent[]): Config {
  const { config = {} } = setup
  const schemas = new Set(items.map(({ table }) => table.schema))
  const own = new Set(
    [...items, ...[...lock.values()].map(({ item }) => item)]
      .filter(({ table }) => schemas.has(table.schema))
      .map(({ table }) => keyOf(table.schema, table.name)),
  )
  const others = new Set(
    parents.map(({ name, schema }) => keyOf(schema, name)).filter((key) => !own.has(key)),
  )
  return withDeclaredNames(config, {
    project,
    lock,
    isRead: (schema, table) => others.has(keyOf(schema, table)),
  })
}

type Parent = TableReference & {
  readonly database?: string | undefined
  readonly schema?: string | undefined
}

/** Returns the requested tables, and those to which they refer. */
function parentsOf({ items, setup: { config = {} } }: PlanInput): readonly Parent[] {
  return items.flatMap(({ table }) =>
    [
      ...(table.name === undefined ? [] : [{ name: table.name }]),
      ...(table.foreignKeys ?? []).map(({ references }) => references.table),
      ...(table.observed?.references ?? []).map(({ references }) => references.table),
      ...configuredParents(table, config),
    ].map((parent) => ({ database: table.database, schema: table.schema, ...parent })),
  )
}

/** Returns a test for tables that the plan generates for. */
function plannedTables({ gone = [], items, lock }: PlanInput): (table: Parent) => boolean {
  const schemas = new Set(items.map(({ table }) => table.schema))
  const missing = new Set(gone)
  const known = [...lock].flatMap(([key, { item }]) => (missing.has(key) ? [] : item))
  const own = new Set(
    [...items, ...known]
      .filter(({ table }) => schemas.has(table.schema))
      .map(({ table }) => keyOf(table.schema, table.name)),
  )
  return ({ name, schema }) => own.has(keyOf(schema, name))
}

function keyOf(schema: string | undefined, name: string | undefined): string {
  return JSON.stringify([schema, name]).toLowerCase()
}

/** A model that reads a table to which another one refers. */
interface ParentReader {
  readonly parent: Parent
  readonly name: string
  readonly path: string
}

function readersOf({ project }: PlanInput, parents: readonly Parent[]): readonly ParentReader[] {
  return parents.flatMap((parent) => {
    const found = findSource(project, parent)
    if (!found?.table) return []
    const place = { source: found.source.name, table: found.table.name }
    return findReaders(project, place)
      .filter((model) => mayStage(model))
      .map(({ name, path }) => ({ parent, name, path }))
  })
}

/** Returns the referenced tables in the configuration: those of `customers.id` and `shop.customers.id`. */
function configuredParents(table: Table, config: Config): readonly TableReference[] {
  return sourceKeys(config, table).flatMap((source) => {
    const { columns = {} } = lookUp(config.sources?.[source]?.tables, table.name ?? '') ?? {}
    return Object.values(columns).flatMap(({ references }) => {
      const [, name, schema, database] = references?.split('.').toReversed() ?? []
      if (name === undefined) return []
      return { name, ...(schema !== undefined && { schema }), ...(database !== undefined && { database }) }
    })
  })
}

interface PlainColumn {
  readonly name: string
  /** The raw column whose values it passes on. */
  readonly raw: string | undefined
}

/** Returns the columns that a model visibly selects and whose names need no quotes. */
function plainColumns(text: string, syntax: SqlSyntax): readonly PlainColumn[] {
  const columns = finalColumns(text, syntax)?.columns ?? []
  return columns.flatMap((column) => {
    const { isQuoted, name } = spelledName(column, syntax)
    return isQuoted || !/^\w+$/.test(name) ? [] : { name, raw: columnRead(column, syntax) }
  })
}

/** Returns facts about a model that a person wrote. With several tables, a column may be that of any of them. */
function readPersonal(
  text: string,
  columns: readonly PlainColumn[],
  syntax: SqlSyntax,
): Pick<ProjectModel, 'selects' | 'filtersRows'> {
  const byRaw = Map.groupBy(columns, ({ raw }) => raw)
  const selects = [...byRaw].flatMap(([raw, [column, ...others]]) =>
    raw !== undefined && column && others.length === 0 ? [[raw, column.name] as const] : [],
  )
  return {
    selects: joinsTables(text, syntax) ? {} : Object.fromEntries(selects),
    filtersRows: filtersMore({ final: text }, syntax),
  }
}

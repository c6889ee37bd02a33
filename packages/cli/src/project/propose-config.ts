import { findLoader } from '@stagecraft/core/run'
import { type Conventions, mergeConfig, type ProjectIndex } from '@stagecraft/dbt'
import { type CatalogTable, compareText, type Config } from '@stagecraft/spec'
import type { Sight } from '../commands/shared-flags.ts'
import { count } from '../terminal/report.ts'
import { COMMON_DIALECT } from './choose-dialect.ts'
import { learnProject } from './learn-project.ts'
import type { OpenProject } from './open-project.ts'
import { supportsOf } from './print-rule.ts'

/** A proposed `stagecraft.yml` and its evidence. */
export interface Proposal {
  readonly config: Config
  /** Comments by the path of their entry. */
  readonly comments: ReadonlyMap<string, string>
  /** Observations, one line each. */
  readonly seen: readonly string[]
}

/**
 * Proposes a configuration from the declarations of the project, the style of its staging models, and the warehouse.
 */
export async function proposeConfig(project: OpenProject, sight: Sight): Promise<Proposal> {
  const { index } = project
  if (!index) throw new RangeError('a proposal needs a dbt project')
  const schemas = await findSchemas(index, sight)
  const learned = await learnProject(project, {
    catalog: sight.catalog,
    config: {},
    dialect: sight.dialect ?? COMMON_DIALECT,
  })
  const loaders = schemas.flatMap(({ name, tables }) => {
    const loader = loaderOf(tables)
    return loader === undefined ? [] : [{ schema: name, loader, tables: tables.length }]
  })
  const own: Config = {
    preset: 'dbt-labs',
    ...(sight.dialect !== undefined && sight.catalog === undefined && { dialect: sight.dialect }),
    ...(schemas.length > 0 && { sources: Object.fromEntries(schemas.map(({ name }) => [name, {}])) }),
  }
  const found = loaders.reduce<Config>(
    (config, { loader, schema }) => mergeConfig(config, { sources: { [schema]: { options: { loader } } } }),
    own,
  )
  return {
    config: mergeConfig(found, learned.config),
    comments: new Map([...commentsOf(loaders), ...supportsOf(learned)]),
    seen: [
      describeProject(index),
      describeWarehouse(schemas, sight),
      ...loaders.map(
        ({ loader, schema, tables }) =>
          `loader: ${loader} fills ${schema}, judging by the columns of its ${count(tables, 'table')}`,
      ),
      describeLearned(learned),
    ],
  }
}

/** A schema of raw tables. */
interface Schema {
  readonly name: string
  /** The known columns of each table. */
  readonly tables: readonly (readonly string[])[]
}

/** Returns the schemas of the project's sources; without sources, those of the warehouse. */
async function findSchemas(index: ProjectIndex, { catalog, signal }: Sight): Promise<readonly Schema[]> {
  signal?.throwIfAborted()
  const declared = Map.groupBy(
    index.sources.filter(({ schema }) => schema !== undefined),
    ({ schema = '' }) => schema,
  )
  if (declared.size > 0) {
    const found = await Promise.all(
      [...declared].map(async ([name, sources]): Promise<Schema> => {
        const stored = await catalog?.tables({ schema: { text: name, quoted: false } })
        const documented = sources.flatMap(({ tables }) =>
          tables.map(({ columns }) => columns.map((column) => column.name)),
        )
        return {
          name,
          tables: (stored ? stored.map(namesOf) : documented).filter(({ length }) => length > 0),
        }
      }),
    )
    return found.toSorted((a, b) => compareText(a.name, b.name))
  }
  const tables = (await catalog?.tables({})) ?? []
  const built = new Set(index.models.map(({ name }) => name))
  const raw = tables.filter(({ model, name }) => model === undefined && !built.has(name))
  return [...Map.groupBy(raw, ({ schema = '' }) => schema)]
    .filter(([name]) => name !== '')
    .map(([name, group]) => ({ name, tables: group.map(namesOf) }))
    .toSorted((a, b) => compareText(a.name, b.name))
}

function namesOf({ columns }: CatalogTable): readonly string[] {
  return columns.map(({ name }) => name)
}

/** Returns the loader that all tables of a schema indicate; undefined if they differ or indicate none. */
function loaderOf(tables: readonly (readonly string[])[]): string | undefined {
  const names = new Set(tables.map((columns) => findLoader(columns, 'auto')?.name))
  const [only] = names
  return names.size === 1 ? only : undefined
}

type Loaders = readonly { readonly schema: string; readonly loader: string; readonly tables: number }[]

function commentsOf(loaders: Loaders): readonly (readonly [string, string])[] {
  return loaders.map(({ schema, tables }) => [
    `sources.${schema}.options.loader`,
    `judging by the columns of ${count(tables, 'table')}`,
  ])
}

function describeProject({ models, settings, sources }: ProjectIndex): string {
  const own = models.filter(({ kind }) => kind === 'model').length
  const names = [...new Set(sources.map(({ name }) => name))]
  const tables = sources.flatMap((source) => source.tables).length
  const declared =
    names.length === 0
      ? 'no sources'
      : `${count(names.length, 'source')} (${listed(names)}) with ${count(tables, 'table')}`
  return `project: ${settings.name ?? 'without a name'}, ${count(own, 'model')}, ${declared}`
}

function describeWarehouse(schemas: readonly Schema[], { catalog }: Sight): string {
  if (!catalog) return 'warehouse: not read'
  const tables = schemas.flatMap((schema) => schema.tables).length
  const places = listed(schemas.map(({ name }) => name))
  return `warehouse: ${catalog.dialect ?? 'of unknown dialect'}, ${count(tables, 'table')} in ${places || 'no schema'}`
}

function describeLearned({ columns, models, named }: Conventions): string {
  if (models === 0) return 'conventions: no staging models to learn from, so the preset decides'
  return `conventions: of ${count(columns, 'column')} in ${count(models, 'staging model')}, ${named.after} keep their names under the proposal (${named.before} under the preset alone)`
}

const LISTED = 5

function listed(names: readonly string[]): string {
  const rest = names.length > LISTED ? `, and ${names.length - LISTED} more` : ''
  return `${names.slice(0, LISTED).join(', ')}${rest}`
}

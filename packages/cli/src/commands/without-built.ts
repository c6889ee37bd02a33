import type { IndexedModel, ProjectIndex } from '@stagecraft/dbt'
import type { CatalogTable } from '@stagecraft/spec'
import { schemaOf } from '../files/index-project.ts'
import type { OpenProject } from '../project/open-project.ts'
import { paint } from '../terminal/paint.ts'
import { count } from '../terminal/report.ts'
import type { Opened } from './shared-flags.ts'

export interface WithoutBuiltOptions {
  /**
   * Excludes seeds too, and views that an earlier run left in a schema that the project builds in, except declared
   * sources.
   * @default false: they may be raw tables
   */
  readonly leftovers?: boolean
}

/**
 * Wraps the catalog so that a request for all tables excludes those that the dbt project builds: models and snapshots
 * in the target's schema and in schemas that dbt names after it. Tables that a source declares stay.
 */
export function withoutBuilt(
  opened: Opened,
  { context, index }: Pick<OpenProject, 'context' | 'index'>,
  options: WithoutBuiltOptions = {},
): Opened {
  if (!index) return opened
  const { catalog, targetSchema = schemaOf(context) } = opened
  return {
    ...opened,
    catalog: {
      ...catalog,
      tables: async (selector) => {
        const tables = await catalog.tables(selector)
        return selector.schema || selector.tables
          ? tables
          : leaveOut(tables, index, { ...options, targetSchema })
      },
    },
  }
}

function leaveOut(
  tables: readonly CatalogTable[],
  index: ProjectIndex,
  { leftovers = false, targetSchema }: WithoutBuiltOptions & Pick<Opened, 'targetSchema'>,
): readonly CatalogTable[] {
  const names = new Set(
    index.models.filter(({ kind }) => leftovers || kind !== 'seed').flatMap(relationNames),
  )
  const target = targetSchema?.toLowerCase() ?? builtSchema(tables, names)
  if (target === undefined) return tables
  const declared = declaredTables(index)
  const isBuilt = ({ name, schema = '' }: CatalogTable): boolean =>
    names.has(name.toLowerCase()) && isNamedAfter(schema, target) && !declared.has(placeOf(schema, name))
  const built = tables.filter(isBuilt)
  const stale = leftovers ? leftoverViews(tables, { built, index }) : []
  note(built.length, `of ${target} that this dbt project builds`)
  note(stale.length, `of ${target} that this dbt project no longer builds`)
  const left = new Set([...built, ...stale])
  return tables.filter((table) => !left.has(table))
}

function note(number: number, what: string): void {
  if (number === 0) return
  const are = number === 1 ? 'is' : 'are'
  process.stderr.write(`${paint('cyan', 'note')} ${count(number, 'table')} ${what} ${are} left out\n`)
}

/** Finds views beside the project's models, in schemas that no source uses. */
function leftoverViews(
  tables: readonly CatalogTable[],
  { built, index }: { readonly built: readonly CatalogTable[]; readonly index: ProjectIndex },
): readonly CatalogTable[] {
  const schemas = new Set(built.map(({ schema = '' }) => schema.toLowerCase()))
  for (const { schema } of index.sources) schemas.delete(schema?.toLowerCase() ?? '')
  const others = new Set(built)
  return tables.filter(
    (table) => table.kind === 'view' && schemas.has(table.schema?.toLowerCase() ?? '') && !others.has(table),
  )
}

function relationNames({ config: { alias }, name }: IndexedModel): readonly string[] {
  return [name, ...(typeof alias === 'string' ? [alias] : [])].map((one) => one.toLowerCase())
}

/** dbt builds models with a custom schema in `<target>_<schema>`. */
function isNamedAfter(schema: string, target: string): boolean {
  const place = schema.toLowerCase()
  return place === target || place.startsWith(`${target}_`)
}

function declaredTables({ sources }: ProjectIndex): ReadonlySet<string> {
  return new Set(
    sources.flatMap(({ schema, tables }) =>
      schema === undefined ? [] : tables.map(({ identifier }) => placeOf(schema, identifier)),
    ),
  )
}

function placeOf(schema: string, name: string): string {
  return JSON.stringify([schema.toLowerCase(), name.toLowerCase()])
}

/**
 * Returns the schema with at least half of the project's models, if no profile names one. Raw tables share only a few
 * names with models.
 */
function builtSchema(tables: readonly CatalogTable[], names: ReadonlySet<string>): string | undefined {
  const schemas = [...new Set(tables.map(({ schema = '' }) => schema.toLowerCase()))]
  const found = schemas.map((schema) => {
    const own = tables.filter((table) => isNamedAfter(table.schema ?? '', schema))
    return {
      schema,
      names: new Set(own.map(({ name }) => name.toLowerCase()).filter((name) => names.has(name))),
    }
  })
  const [best] = found.toSorted((a, b) => b.names.size - a.names.size)
  return best && best.names.size > 0 && best.names.size * 2 >= names.size ? best.schema : undefined
}

import type { Catalog, CatalogTable, Warning } from '@stagecraft/spec'
import type { Listed } from '../list/find-listed.ts'
import { listCatalog } from '../list/list-catalog.ts'
import { dialectOfAdapter, listsFields } from './adapters.ts'
import { type Artifacts, readArtifacts } from './artifacts.ts'
import { readConstraintFacts } from './constraint-facts.ts'
import { indexRelations } from './relation-index.ts'
import { listRelations, type Relation } from './relations.ts'
import { toTable } from './tables.ts'
import { readTestFacts } from './test-facts.ts'

export interface DbtOptions {
  /** The folder that dbt writes its artifacts to, `target/`, or a manifest in it. */
  readonly path: string
  /** Cancels reading, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Opens the catalog of a dbt project: its sources, models, seeds and snapshots. Columns come from
 * `catalog.json` or, without it, from YAML; keys, values and foreign keys come from constraints and tests.
 * Tables are found by their names in the warehouse, models also by their bare name, and sources by
 * `source_name.table_name`.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for artifacts that cannot be read; INVALID_REQUEST for files that are
 * not artifacts, and for a manifest of a version other than 10 to 12.
 */
export async function dbt({ path, signal }: DbtOptions): Promise<Catalog> {
  signal?.throwIfAborted()
  const artifacts = await readArtifacts(path)
  signal?.throwIfAborted()
  const listed = tablesOf(artifacts)
  return listCatalog(
    listed.map(({ table }) => table),
    {
      dialect: dialectOfAdapter(artifacts.adapter),
      origin: path,
      aliases: listed.map(toAlias),
      warnings: artifacts.hasCatalog ? [] : [withoutCatalog(path, listed)],
    },
  )
}

/** Warns that `catalog.json` is missing, with the number of tables without columns. */
function withoutCatalog(path: string, listed: readonly Described[]): Warning {
  const empty = listed.filter(({ table }) => table.columns.length === 0).length
  const rest = empty === 0 ? '' : `, and none for ${empty} of ${listed.length} tables`
  const message = `${path}: there is no catalog.json, so the columns and types are those listed in the YAML of the project${rest}; dbt docs generate creates it`
  return { code: 'CATALOG_PARTLY_READ', message }
}

interface Described {
  readonly relation: Relation
  readonly table: CatalogTable
}

function tablesOf(artifacts: Artifacts): readonly Described[] {
  const relations = withoutTwins(listRelations(artifacts))
  const index = indexRelations(relations)
  const tested = readTestFacts(artifacts.nodes, index)
  const isNested = listsFields(artifacts.adapter)
  return relations.map((relation) => {
    const facts = [...readConstraintFacts(relation, index), ...(tested.get(relation.id) ?? [])]
    return { relation, table: toTable(relation, facts, { relations: index.byId, isNested }) }
  })
}

/** Drops duplicates. A table that is both built and a source, as between projects, is read as the model. */
function withoutTwins(relations: readonly Relation[]): readonly Relation[] {
  const key = ({ database, name, schema }: Relation): string => JSON.stringify([database, schema, name])
  const built = new Set(relations.filter(({ ref }) => ref !== undefined).map(key))
  const seen = new Set<string>()
  return relations.filter((relation) => {
    const place = key(relation)
    const isTwin = seen.has(place) || (relation.source !== undefined && built.has(place))
    if (!isTwin) seen.add(place)
    return !isTwin
  })
}

/** Returns the table under its name in the project. */
function toAlias({ relation: { database, name, ref, schema, source }, table }: Described): Listed {
  return { database, schema: source?.name ?? schema, name: source?.table ?? ref ?? name, table }
}

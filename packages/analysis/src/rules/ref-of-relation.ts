import { type IndexedModel, layerOf } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import { builtModels } from './subjects.ts'
import { relationName } from '../project/relation-name.ts'

/** The parts of the name of a relation, in lower case. */
interface Wanted {
  readonly table: string
  readonly schema: string | undefined
  readonly database: string | undefined
}

/** Returns the call of a model; undefined for one that no call can name. */
export function refOf({ name, version }: IndexedModel): string | undefined {
  const isWritable = /^\w+$/.test(name) && /^[\w.]*$/.test(version ?? '')
  if (!isWritable) return undefined
  return version === undefined ? `ref('${name}')` : `ref('${name}', v='${version}')`
}

/**
 * Returns the only model that dbt builds under a name; undefined if there is none, or several, if files do not show
 * it, and if the model would read itself.
 */
export function modelBehind(
  project: LintProject,
  reader: IndexedModel,
  parts: readonly string[],
): IndexedModel | undefined {
  const [table = '', schema, database] = parts.toReversed().map((part) => part.toLowerCase())
  const wanted = { table, schema, database }
  const built = builtModels(project)
  const known = built.filter((model) => isInManifest(project, model, wanted))
  const found = known.length > 0 ? known : built.filter((model) => isMeant(project, model, wanted))
  const [model, ...others] = found
  return model && others.length === 0 && !isAbove(project, reader, model) ? model : undefined
}

/** Returns true if dbt's manifest has the model under that name. */
function isInManifest(
  { manifest }: LintProject,
  { kind, name, version }: IndexedModel,
  { database, schema, table }: Wanted,
): boolean {
  const written = manifest?.models.find(
    (model) => model.kind === kind && model.name === name && model.version === version,
  )
  return (
    written?.relation?.toLowerCase() === table &&
    written.schema?.toLowerCase() === schema &&
    (database === undefined || written.database?.toLowerCase() === database)
  )
}

/**
 * Returns true if files show that a relation is a model's: it has the model's name, and either its configured schema
 * or a prefix of a layer. Raw tables rarely have such names, and declared ones have their source's schema.
 */
function isMeant(project: LintProject, model: IndexedModel, { schema = '', table }: Wanted): boolean {
  if (relationName(project, model) !== table) return false
  if (project.index.sources.some((source) => source.schema?.toLowerCase() === schema)) return false
  const own = project.configOf(model, 'schema')
  if (own.status === 'unknown') return false
  if (own.status === 'unset') return layerOf({ ...model, path: model.name }) !== undefined
  const given = String(own.value).toLowerCase()
  return schema === given || schema.endsWith(`_${given}`)
}

/** Returns true if a model is the other one or reads it, directly or through others. */
function isAbove({ graph }: LintProject, model: IndexedModel, other: IndexedModel): boolean {
  const found = new Set([other])
  for (const one of found) for (const parent of graph.parentsOf(one)) found.add(parent)
  return found.has(model)
}

import { type GeneratedFile, compareText } from '@stagecraft/spec'
import { KINDS } from '../plan/kinds.ts'
import { compareYaml } from '../verify/yaml-contains.ts'
import type { PrintedEntries, PrintedModel, PrintedSource } from './print-model.ts'
import { notAsPlanned, type Renderer } from './renderer.ts'

/** Returns the file of a model. */
export function modelFile({ name, paths, sql }: PrintedModel): GeneratedFile {
  return { path: paths.model, content: sql, covers: [name] }
}

/** Prints the property files of models, entries of one path together. */
export function printYamlFiles(
  models: readonly PrintedEntries[],
  renderer: Renderer,
): readonly GeneratedFile[] {
  const yamls = Map.groupBy(models, ({ paths }) => paths.modelYaml)
  const reading = models.filter(({ source }) => source !== undefined)
  const sources = Map.groupBy(reading, ({ paths }) => paths.sourceYaml)
  return [
    ...[...yamls].map(([path, shared]) => printModelYaml(path, shared, renderer)),
    ...[...sources].map(([path, shared]) => printSourceYaml(path, shared, renderer)),
  ]
}

function printModelYaml(
  path: string,
  models: readonly PrintedEntries[],
  { templates }: Renderer,
): GeneratedFile {
  const list = KINDS[models[0]?.kind ?? 'staging'].yamlList
  const content = templates.render('models.yml', { list, entries: models.map(({ entry }) => entry.text) })
  const planned = { [list]: models.map(({ entry }) => entry.tree) }
  const fault = templates.check && compareYaml(content, planned)
  if (fault !== undefined) throw notAsPlanned('models.yml', path, fault)
  return { path, content, covers: models.map(({ name }) => name) }
}

function printSourceYaml(
  path: string,
  models: readonly PrintedEntries[],
  { templates }: Renderer,
): GeneratedFile {
  const tables = distinctTables(models)
  const sources = [...Map.groupBy(tables, ({ name }) => name).entries()]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, group]) => ({ entry: group[0]?.tree, tables: group.map(({ table }) => table.text) }))
  const content = templates.render('sources.yml', { sources, docs: tables.some(({ docs }) => docs) })
  const fault = templates.check && compareYaml(content, plannedSources(tables))
  if (fault !== undefined) throw notAsPlanned('sources.yml', path, fault)
  return { path, content, covers: tables.map(({ tableName }) => tableName) }
}

function plannedSources(tables: readonly PrintedSource[]): object {
  const groups = [...Map.groupBy(tables, ({ name }) => name).entries()].toSorted(([a], [b]) =>
    compareText(a, b),
  )
  return {
    sources: groups.map(([, group]) => ({ ...group[0]?.tree, tables: group.map(({ table }) => table.tree) })),
  }
}

/** A table that several kinds of model read has one entry. */
function distinctTables(models: readonly PrintedEntries[]): readonly PrintedSource[] {
  const sources = models.flatMap(({ source }) => source ?? [])
  return [...new Map(sources.map((source) => [source.tableName, source])).values()]
}

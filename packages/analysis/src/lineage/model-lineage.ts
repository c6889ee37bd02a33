import { findCalls, type IndexedModel, type ModelReference, referencesOf } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Entry, PropertiesFile } from '../project/properties-file.ts'
import { asMap } from '../project/model-config.ts'
import { sourceTables } from '../project/source-config.ts'
import { type Place, positionOf } from '../project/source-file.ts'
import type { StructureRelation } from '../structure/sql-structure.ts'
import { hardCodedReads } from '../rules/hard-coded-relation.ts'
import { builtModels, placeOf, placeOfRead, placeOfSource, subjectOf } from '../rules/subjects.ts'
import { compareEdges, type Lineage, type LineageEdge, type LineageGap, type LineageNode } from './lineage.ts'

/**
 * Returns the reads between relations of a project, by references alone: sources, seeds, snapshots, models and
 * exposures.
 */
export function modelLineage(project: LintProject): Lineage {
  const sources = sourceNodes(project)
  const models = builtModels(project)
  const nodes = new Map(
    [...sources, ...models.map((model) => nodeOf(project, model))].map((node) => [node.id, node]),
  )
  const exposures = project.properties.flatMap((file) => exposuresOf(project, file))
  for (const { node } of exposures) nodes.set(node.id, node)
  const declared = new Set(sources.map(({ id }) => id))
  const edges = [
    ...models.flatMap((model) => edgesTo(project, model)),
    ...exposures.flatMap((exposure) => exposure.edges),
  ]
  return {
    nodes: [...nodes.values()],
    edges: edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to)).toSorted(compareEdges),
    gaps: models.flatMap((model) => gapsOf(project, model, declared)),
  }
}

export function idOfModel(model: IndexedModel): string {
  const { kind, name } = subjectOf(model)
  return `${kind}.${name}`
}

export function idOfTable(source: string, table: string): string {
  return `source.${source}.${table}`
}

/** Returns the id of a relation that SQL reads; undefined for one that is not in the project. */
export function idOfRelation(relation: StructureRelation): string | undefined {
  if (relation.kind === 'source') return idOfTable(relation.source, relation.table)
  return relation.kind === 'model' ? idOfModel(relation.model) : undefined
}

function sourceNodes(project: LintProject): readonly LineageNode[] {
  return sourceTables(project).map(({ source: { name }, table }) => ({
    id: idOfTable(name, table.name),
    kind: 'source' as const,
    name: `${name}.${table.name}`,
    path: table.path,
    line: table.line,
  }))
}

export function nodeOf(project: LintProject, model: IndexedModel): LineageNode {
  const { name } = subjectOf(model)
  const place = placeOf(project, model)
  return { id: idOfModel(model), kind: model.kind, name, path: model.path, line: lineOfPlace(project, place) }
}

export function lineOfPlace({ files }: LintProject, { path, start }: Place): number {
  const file = files.get(path)
  return file ? positionOf(file, start).line : 1
}

/** Returns the place where YAML describes a column of a source; undefined if none does. */
export function placeInYaml(
  project: LintProject,
  relationId: string,
  column: string,
): { readonly path: string; readonly line: number } | undefined {
  const described = project.properties
    .flatMap(({ entries }) => entries('sources'))
    .flatMap((source) =>
      source.entries('tables').filter(({ name }) => idOfTable(source.name, name) === relationId),
    )
    .flatMap((table) => table.entries('columns'))
    .find(({ name }) => name.toLowerCase() === column.toLowerCase())
  return described && { path: described.place.path, line: lineOfPlace(project, described.place) }
}

function edgesTo(project: LintProject, model: IndexedModel): readonly LineageEdge[] {
  const to = idOfModel(model)
  const edge = (from: string, place: Place): LineageEdge => ({
    from,
    to,
    path: place.path,
    line: lineOfPlace(project, place),
  })
  return [
    ...model.reads.map((read) =>
      edge(idOfTable(read.source, read.table), placeOfSource(project, model, read)),
    ),
    ...project.graph
      .parentsOf(model)
      .map((parent) => edge(idOfModel(parent), placeOfRead(project, model, parent))),
    ...hardCodedReads(project, model).map(({ place, to }) =>
      edge('table' in to ? idOfTable(to.source, to.table) : idOfModel(to), place),
    ),
  ]
}

interface ExposureLineage {
  readonly node: LineageNode
  readonly edges: readonly LineageEdge[]
}

function exposuresOf(project: LintProject, { entries }: PropertiesFile): readonly ExposureLineage[] {
  const enabled = entries('exposures').filter((entry) => asMap(entry.get('config'))['enabled'] !== false)
  return enabled.map((entry) => {
    const line = lineOfPlace(project, entry.place)
    const { path } = entry.place
    const node = { id: `exposure.${entry.name}`, kind: 'exposure', name: entry.name, path, line } as const
    return { node, edges: parentsOf(project, entry).map((from) => ({ from, to: node.id, path, line })) }
  })
}

function parentsOf({ graph }: LintProject, entry: Entry): readonly string[] {
  const listed = entry.get('depends_on')
  const texts = Array.isArray(listed) ? listed.filter((item) => typeof item === 'string') : []
  const { models, sources } = referencesOf(texts.flatMap((text) => findCalls(`{{ ${text} }}`)))
  return [
    ...sources.map(({ source, table }) => idOfTable(source, table)),
    ...models.flatMap((reference) => {
      const model = graph.resolve(reference)
      return model ? [idOfModel(model)] : []
    }),
  ]
}

/**
 * The relations that a model may read besides the known ones.
 *
 * @param declared The ids of the tables of sources.
 */
function gapsOf(
  { calls, graph, packages }: LintProject,
  model: IndexedModel,
  declared: ReadonlySet<string>,
): readonly LineageGap[] {
  const { name } = subjectOf(model)
  const gap = (reason: string): LineageGap => ({ id: idOfModel(model), name, reason })
  const elsewhere = [
    ...model.models
      .filter((reference) => !graph.resolve(reference))
      .map((reference) => describeModel(packages, reference)),
    ...model.reads
      .filter(({ source, table }) => !declared.has(idOfTable(source, table)))
      .map(({ source, table }) => describeSource(packages, source, table)),
  ]
  return [
    ...(model.isDynamic ? [gap('some of its references are only known when dbt runs')] : []),
    ...elsewhere.map((other) => gap(`it reads ${other}`)),
    ...macrosOfMissing(packages, calls.get(model.path) ?? []).map((name) =>
      gap(`it may read more through the macro ${name}, whose package is not installed`),
    ),
  ]
}

/** Describes a model that is not one of the project, with its place if it is known. */
function describeModel(
  { installed, missing }: LintProject['packages'],
  { model, package: home }: Omit<ModelReference, 'line'>,
): string {
  const name = [home, model].filter(Boolean).join('.')
  const packages = home === undefined ? [...installed] : [...installed].filter(([own]) => own === home)
  const [found] = packages.flatMap(([own, models]) => {
    const path = models.get(model)
    return path === undefined ? [] : [{ own, path }]
  })
  if (found) return `${model} of the package ${found.own} (${found.path})`
  if (home !== undefined && !installed.has(home)) return `${name}, and the package ${home} is not installed`
  return missing.length > 0 && home === undefined
    ? `${name}, which may be in a package that is not installed: ${missing.join(', ')}`
    : `${name}, which is not in the project`
}

/** The macros of packages that are required, but have no folder. */
function macrosOfMissing(
  { missing }: LintProject['packages'],
  calls: readonly { readonly name: string }[],
): readonly string[] {
  const found = calls.flatMap(({ name }) => (missing.includes(name.split('.', 1)[0] ?? '') ? name : []))
  return [...new Set(found)]
}

function describeSource(
  { hasSource, missing }: LintProject['packages'],
  source: string,
  table: string,
): string {
  const name = `${source}.${table}`
  if (hasSource(source, table)) return `${name}, a source of an installed package`
  return missing.length > 0
    ? `${name}, which may be in a package that is not installed: ${missing.join(', ')}`
    : `${name}, which is not in the project`
}

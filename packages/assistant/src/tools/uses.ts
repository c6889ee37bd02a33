import { lineOf, lineOfPlace, type LineageNode, type StructureRelation } from '@stagecraft/analysis'
import { compareText } from '@stagecraft/spec'
import type { ProjectView } from '../project-view.ts'
import { modelsByPath, referencesTo } from '../references.ts'
import { findResource, isSame } from '../resources.ts'
import { defineTool, type Item, itemSchema } from '../tool.ts'
import { idInput } from './resource.ts'

/** Lists every place that names a relation or column. */
export const findUses = defineTool({
  name: 'find_uses',
  title: 'Usages',
  description:
    'Lists every place that reads a model, seed, snapshot, source table or column: models, exposures, tests, macros. One item for each place.',
  input: { id: idInput },
  item: itemSchema,
  run: (view, { id }) => {
    const { column, node } = findResource(view, id)
    return column === undefined ? usesOf(view, node) : columnUses(view, node, column)
  },
})

interface Uses {
  readonly items: readonly Item[]
  readonly notes: readonly string[]
}

/**
 * Returns the places that read a relation. A model that reads it through a macro is cited where lineage found the
 * read.
 */
export function usesOf(view: ProjectView, node: LineageNode): Uses {
  const owners = modelsByPath(view)
  const exposures = view.lineage.edges.filter(
    ({ from, to }) => from === node.id && to.startsWith('exposure.'),
  )
  const written = referencesTo(view, node)
    .filter(
      ({ line, path }) =>
        !exposures.some((edge) => edge.path === path && isNear(view, edge.to, { path, line })),
    )
    .map((place) => itemOf(view, owners.get(place.path) ?? idOfFile(view, place.path), place))
  const known = new Set(written.map(({ id }) => id))
  const others = view.lineage.edges
    .filter(({ from, to }) => from === node.id && !known.has(to))
    .map(({ line, path, to }) => itemOf(view, to, { path, line }))
  return {
    items: unique([...written, ...others]),
    notes: view.lineage.gaps
      .filter(({ reason }) => reason.startsWith('some of its references'))
      .map(({ name }) => `${name} may read it too: some of its references are only known when dbt runs`),
  }
}

interface PlaceOfUse {
  readonly path: string
  readonly line: number
}

/** Returns true if a place in YAML belongs to an exposure: after its name and before the next exposure of the file. */
function isNear(view: ProjectView, exposure: string, { line, path }: PlaceOfUse): boolean {
  const all = view.lineage.nodes.filter((node) => node.kind === 'exposure' && node.path === path)
  const own = all.filter((node) => node.line <= line).toSorted((a, b) => b.line - a.line)[0]
  return own?.id === exposure
}

function itemOf({ project }: ProjectView, id: string, { line, path }: PlaceOfUse): Item {
  const file = project.files.get(path)
  return {
    id,
    kind: id.split('.')[0] ?? 'file',
    file: path,
    line,
    text: file ? lineOf(file, line).trim() : '',
  }
}

/** Describes a file that is not a model: a test, a macro, an analysis, properties. */
function idOfFile({ project: { index } }: ProjectView, path: string): string {
  const { analysisPaths, macroPaths, testPaths } = index.settings
  const isIn = (folders: readonly string[]): boolean =>
    folders.some((folder) => path.startsWith(`${folder}/`))
  if (/\.ya?ml$/i.test(path)) return `properties.${path}`
  const kind = isIn(testPaths)
    ? 'test'
    : isIn(macroPaths)
      ? 'macro'
      : isIn(analysisPaths)
        ? 'analysis'
        : 'file'
  return `${kind}.${path}`
}

function columnUses(view: ProjectView, node: LineageNode, column: string): Uses {
  const { project } = view
  const notes: string[] = []
  const items = [...view.models].flatMap(([id, model]) => {
    const isReader = view.lineage.edges.some(({ from, to }) => from === node.id && to === id)
    const structure = project.structure.of(model)
    if (structure.status === 'unread') {
      if (isReader) notes.push(`${model.name} may read it: ${structure.reason}`)
      return []
    }
    return structure.reads
      .filter((read) => isSame(read.column, column) && idOfRelation(view, read.relation) === node.id)
      .map(({ place }) => itemOf(view, id, { path: place.path, line: lineOfPlace(project, place) }))
  })
  return { items: unique(items), notes }
}

function idOfRelation(view: ProjectView, relation: StructureRelation): string | undefined {
  if (relation.kind === 'source') return `source.${relation.source}.${relation.table}`
  if (relation.kind === 'other') return undefined
  return [...view.models].find(([, model]) => model === relation.model)?.[0]
}

function unique(items: readonly Item[]): readonly Item[] {
  const byPlace = new Map(items.map((item) => [`${item.id}\0${item.file}\0${item.line}`, item]))
  return [...byPlace.values()].toSorted((a, b) => compareText(a.file, b.file) || a.line - b.line)
}

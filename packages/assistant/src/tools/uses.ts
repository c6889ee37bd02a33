import { lineOfPlace, type LineageNode, type StructureRelation } from '@stagecraft/analysis'
import type { ProjectView } from '../project-view.ts'
import { disabledByPath, modelsByPath, type ReferencePlace, referencesTo } from '../references.ts'
import { findResource, isSame, unknownColumn } from '../resources.ts'
import { isDisabledTest } from '../tests.ts'
import { defineTool, itemSchema, idInput } from '../tool.ts'
import { macroNamed } from '../macros.ts'
import { usesOfMacro } from './macro-uses.ts'
import { idOfFile, itemOf, type PlaceOfUse, unique, type Uses } from './use-items.ts'

/** Lists every place that names a relation or column. */
export const findUses = defineTool({
  name: 'find_uses',
  title: 'Usages',
  description:
    'Lists every place that reads a model, seed, snapshot, source table or column, or calls macro.x: models, exposures, tests, macros.',
  input: { id: idInput },
  item: itemSchema,
  run: (view, { id }) => {
    const macro = macroNamed(view, id)
    if (macro !== undefined) return usesOfMacro(view, macro)
    const found = findResource(view, id)
    if (found.column === undefined) return usesOf(view, found.node)
    const { items, notes } = columnUses(view, found.node, found.column)
    return { items, notes: [...unknownColumn(view, found), ...notes] }
  },
})

/**
 * Returns the places that read a relation. A model that reads it through a macro is cited where lineage found the
 * read.
 */
export function usesOf(view: ProjectView, node: LineageNode): Uses {
  const owners = modelsByPath(view)
  const exposures = view.lineage.edges.filter(
    ({ from, to }) => from === node.id && to.startsWith('exposure.'),
  )
  const { disabled = [], live = [] } = Object.groupBy(referencesTo(view, node), ({ path }) =>
    disabledBy(view, path) === undefined ? 'live' : 'disabled',
  )
  const written = live
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
    notes: [
      ...disabled.map(
        (place) => `${disabledBy(view, place.path)} names it too, and is left out: ${placeText(place)}`,
      ),
      ...view.lineage.gaps
        .filter(({ reason }) => reason.startsWith('some of its references'))
        .map(({ name }) => `${name} may read it too: some of its references are only known when dbt runs`),
    ],
  }
}

/** Describes what a file defines that dbt leaves out; undefined for a file that dbt uses. */
function disabledBy(view: ProjectView, path: string): string | undefined {
  return disabledByPath(view).get(path) ?? (isDisabledTest(view, path) ? 'a disabled test' : undefined)
}

function placeText({ line, path }: ReferencePlace): string {
  return `${path}:${line}`
}

/** Returns true if a place in YAML belongs to an exposure: after its name and before the next exposure of the file. */
function isNear(view: ProjectView, exposure: string, { line, path }: PlaceOfUse): boolean {
  const all = view.lineage.nodes.filter((node) => node.kind === 'exposure' && node.path === path)
  const own = all.filter((node) => node.line <= line).toSorted((a, b) => b.line - a.line)[0]
  return own?.id === exposure
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
    const [gap] = structure.gaps
    if (isReader && gap !== undefined) notes.push(`${model.name} may read it: ${gap}`)
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

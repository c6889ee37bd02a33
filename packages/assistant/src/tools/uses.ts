import { idOfRelation, lineOfPlace, type LineageNode } from '@stagecraft/analysis'
import type { ProjectView } from '../project-view.ts'
import { disabledByPath, modelsByPath, type ReferencePlace, referencesTo } from '../references.ts'
import { findResource, isSame, unknownColumn } from '../resources.ts'
import { isDisabledTest } from '../tests.ts'
import { defineTool, itemSchema, idInput } from '../tool.ts'
import { macroNamed } from '../macros.ts'
import { usesOfMacro } from './macro-uses.ts'
import { failingTests } from './failing-tests.ts'
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
  const { disabled = [], live = [] } = Object.groupBy(referencesTo(view, node), ({ path }) =>
    disabledBy(view, path) === undefined ? 'live' : 'disabled',
  )
  const written = live
    .map((place) =>
      itemOf(view, owners.get(place.path) ?? ownerInYaml(view, place) ?? idOfFile(view, place.path), place),
    )
    // an exposure is cited by its name
    .filter(({ kind }) => kind !== 'exposure')
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

/** The lists of properties whose entries read a relation themselves, by the kinds of their entries. */
const READING_LISTS: Readonly<Record<string, string>> = {
  exposures: 'exposure',
  snapshots: 'snapshot',
  semantic_models: 'semantic_model',
  unit_tests: 'unit_test',
}

const OTHER_LISTS = ['models', 'sources', 'seeds', 'metrics', 'saved_queries', 'macros', 'analyses', 'groups']

/** Returns the id of the entry of YAML around a place; undefined for one that only describes something. */
function ownerInYaml(view: ProjectView, { line, path }: PlaceOfUse): string | undefined {
  const file = view.project.properties.find((one) => one.file.path === path)
  const entries = [...Object.keys(READING_LISTS), ...OTHER_LISTS].flatMap((list) =>
    (file?.entries(list) ?? []).map((entry) => ({ entry, kind: READING_LISTS[list] })),
  )
  const [own] = entries
    .map((one) => ({ ...one, line: lineOfPlace(view.project, one.entry.place) }))
    .filter((one) => one.line <= line)
    .toSorted((a, b) => b.line - a.line)
  const isReader = own?.kind !== 'snapshot' || own.entry.get('relation') !== undefined
  return own?.kind !== undefined && isReader ? `${own.kind}.${own.entry.name}` : undefined
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
    const passed = structure.columns
      .filter(({ isFromStar }) => isFromStar)
      .flatMap(({ place, sources }) => sources.map((one) => ({ ...one, place })))
    const open = structure.openStars
      .filter(({ without }) => !without.has(column.toLowerCase()))
      .map(({ place, relation }) => ({ column, place, relation }))
    return [...structure.reads, ...passed, ...open]
      .filter((read) => isSame(read.column, column) && idOfRelation(read.relation) === node.id)
      .map(({ place }) => itemOf(view, id, { path: place.path, line: lineOfPlace(project, place) }))
  })
  const failing = failingTests(view, { node, column })
  const tests = failing.tests
    .filter(({ path }) => path.endsWith('.sql'))
    .map(({ id, line, path }) => itemOf(view, id, { path, line }))
  return { items: unique([...items, ...tests]), notes: [...notes, ...failing.notes] }
}

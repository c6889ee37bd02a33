import { builtModels, idOfTable, lineOfPlace, type LineageNode } from '@stagecraft/analysis'
import type { ProjectView } from './project-view.ts'

/** A place that names a relation. */
export interface ReferencePlace {
  readonly path: string
  readonly line: number
}

/** Returns every place in SQL, Python and YAML files that names a relation, ordered by file. */
export function referencesTo(view: ProjectView, { id }: LineageNode): readonly ReferencePlace[] {
  return placesById(view).get(id) ?? []
}

/** Returns the places of all relations: looking through all references for each relation takes seconds in large projects. */
const placesById = oncePerView((view): ReadonlyMap<string, readonly ReferencePlace[]> => {
  const { models, project } = view
  const ids = new Map([...models].map(([id, model]) => [model, id]))
  const places = new Map<string, ReferencePlace[]>()
  for (const { model: reference, place, source } of [
    ...[...project.references.values()].flat(),
    ...project.propertyReferences,
  ]) {
    const model = reference && project.graph.resolve(reference)
    const id = model ? ids.get(model) : source && idOfTable(source.source, source.table)
    if (id === undefined) continue
    const found = places.get(id) ?? []
    places.set(id, found)
    found.push({ path: place.path, line: lineOfPlace(project, place) })
  }
  return places
})

/** Returns the models of files, by path. */
export const modelsByPath = oncePerView((view): ReadonlyMap<string, string> => {
  const built = new Set(builtModels(view.project))
  return new Map(
    [...view.models]
      .filter(([, model]) => built.has(model) && model.relation === undefined)
      .map(([id, { path }]) => [path, id]),
  )
})

/** Returns the names of models that dbt does not build, by the files that have no others. */
export const disabledByPath = oncePerView((view): ReadonlyMap<string, string> => {
  const known = modelsByPath(view)
  return new Map(
    view.project.index.models
      .filter(({ path, relation }) => relation === undefined && !known.has(path))
      .map(({ kind, name, path }) => [path, `the disabled ${kind} ${name}`]),
  )
})

/** Computes something once for each view, whose project does not change. */
export function oncePerView<Value>(compute: (view: ProjectView) => Value): (view: ProjectView) => Value {
  const known = new WeakMap<ProjectView, { readonly value: Value }>()
  return (view) => {
    const found = known.get(view) ?? { value: compute(view) }
    known.set(view, found)
    return found.value
  }
}

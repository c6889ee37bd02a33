import type { IndexedModel, ModelReference, ProjectIndex } from '@stagecraft/dbt'

/** The models that read each other. */
export interface Graph {
  /** The model of the project that a reference leads to; undefined for one of a package, or none. */
  readonly resolve: (reference: ModelReference) => IndexedModel | undefined
  readonly parentsOf: (model: IndexedModel) => readonly IndexedModel[]
  readonly childrenOf: (model: IndexedModel) => readonly IndexedModel[]
}

/** @param latest The latest versions that properties say, by the names of models. */
export function buildGraph(index: ProjectIndex, latest: ReadonlyMap<string, string>): Graph {
  const named = Map.groupBy(index.models, ({ name }) => name)
  const resolve = ({ model, package: home, version }: ModelReference): IndexedModel | undefined => {
    if (home !== undefined && home !== index.settings.name) return undefined
    const found = named.get(model) ?? []
    if (version !== undefined) return found.find((one) => one.version === version)
    return found.find((one) => one.version === latest.get(model)) ?? newest(found)
  }
  const parents = new Map(
    index.models.map((model) => [
      model,
      [...new Set(model.models.flatMap((reference) => resolve(reference) ?? []))],
    ]),
  )
  const children = new Map<IndexedModel, IndexedModel[]>(index.models.map((model) => [model, []]))
  for (const [model, read] of parents) for (const parent of read) children.get(parent)?.push(model)
  return {
    resolve,
    parentsOf: (model) => parents.get(model) ?? [],
    childrenOf: (model) => children.get(model) ?? [],
  }
}

/** dbt takes the highest version when properties name none. */
function newest(models: readonly IndexedModel[]): IndexedModel | undefined {
  const byVersion = (a: IndexedModel, b: IndexedModel): number =>
    (b.version ?? '').localeCompare(a.version ?? '', 'en', { numeric: true })
  return models.toSorted(byVersion)[0]
}

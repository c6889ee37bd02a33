import type { IndexedModel, ModelReference, ProjectIndex } from '@stagecraft/dbt'

/** The models that read each other. */
export interface Graph {
  /** Returns the model of a reference; undefined for a package's or an unknown one. */
  readonly resolve: (reference: Omit<ModelReference, 'line'>) => IndexedModel | undefined
  readonly parentsOf: (model: IndexedModel) => readonly IndexedModel[]
  readonly childrenOf: (model: IndexedModel) => readonly IndexedModel[]
}

/** @param latest The latest versions according to properties, by model name. */
export function buildGraph(index: ProjectIndex, latest: ReadonlyMap<string, string>): Graph {
  const named = Map.groupBy(index.models, ({ name }) => name)
  const resolve: Graph['resolve'] = ({ model, package: home, version }) => {
    if (home !== undefined && home !== index.settings.name) return undefined
    const found = named.get(model) ?? []
    if (version !== undefined)
      return found.find((one) => one.version === version) ?? plain(named.get(`${model}.v${version}`))
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

/** A file `orders.v2.sql` that no YAML calls a version is the model `orders.v2`, which dbt also takes for version 2. */
function plain(models: readonly IndexedModel[] | undefined): IndexedModel | undefined {
  return models?.find(({ version }) => version === undefined)
}

/** Without properties dbt takes the highest version. */
function newest(models: readonly IndexedModel[]): IndexedModel | undefined {
  const byVersion = (a: IndexedModel, b: IndexedModel): number =>
    (b.version ?? '').localeCompare(a.version ?? '', 'en', { numeric: true })
  return models.toSorted(byVersion)[0]
}

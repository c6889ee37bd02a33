import type { IndexedModel } from './project-index.ts'

/** The layers of a project, from the sources up. */
export type Layer = 'base' | 'staging' | 'intermediate' | 'mart' | 'report'

/** The signs of each layer: the name of a model, else its folder. */
const SIGNS: readonly (readonly [layer: Layer, name: RegExp, folder: RegExp])[] = [
  // Some packages put what a staging model cleans up into a model that is named like it: stg_shop__orders_base, or _tmp.
  ['base', /^base_|^stg_.*_(?:base|tmp)$/i, /^base$/i],
  ['staging', /^stg_/i, /^(?:staging|stg)$/i],
  ['intermediate', /^int_/i, /^(?:intermediate|int)$/i],
  ['mart', /^(?:fct|fact|dim|mart)_/i, /^marts?$/i],
  ['report', /^rpt_/i, /^reports?$/i],
]

/** Returns the layer that a name of a model shows; undefined if it shows none. */
export function layerOfName(name: string): Layer | undefined {
  return SIGNS.find(([, sign]) => sign.test(name))?.[0]
}

/** A model of a project. */
interface LayeredModel extends Pick<IndexedModel, 'name' | 'path'> {
  /** @default model */
  readonly kind?: IndexedModel['kind']
}

/** Returns the layer of a model; undefined if neither its name nor a folder shows it. The innermost folder decides. */
export function layerOf({ kind = 'model', name, path }: LayeredModel): Layer | undefined {
  if (kind !== 'model') return undefined
  const named = layerOfName(name)
  if (named) return named
  const folders = path.split('/').slice(0, -1).toReversed()
  return folders.flatMap((folder) => SIGNS.find(([, , sign]) => sign.test(folder))?.[0] ?? [])[0]
}

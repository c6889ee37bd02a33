import type { IndexedModel } from '@stagecraft/dbt'

/** The layers of a project, from the sources up. */
export type Layer = 'base' | 'staging' | 'intermediate' | 'mart' | 'report'

/** The signs of each layer: the beginning of a model's name, else its folder. */
const SIGNS: readonly (readonly [layer: Layer, prefix: RegExp, folder: RegExp])[] = [
  ['base', /^base_/i, /^base$/i],
  ['staging', /^stg_/i, /^(?:staging|stg)$/i],
  ['intermediate', /^int_/i, /^(?:intermediate|int)$/i],
  ['mart', /^(?:fct|fact|dim|mart)_/i, /^marts?$/i],
  ['report', /^rpt_/i, /^reports?$/i],
]

/** The layer of a model; undefined when neither its name nor a folder tells. The innermost folder decides. */
export function layerOf({ kind, name, path }: IndexedModel): Layer | undefined {
  if (kind !== 'model') return undefined
  const named = SIGNS.find(([, prefix]) => prefix.test(name))
  if (named) return named[0]
  const folders = path.split('/').slice(0, -1).toReversed()
  return folders.flatMap((folder) => SIGNS.find(([, , sign]) => sign.test(folder))?.[0] ?? [])[0]
}

import { type Layer, layerOfName } from '@stagecraft/dbt'

/** The largest difference between a name and its typing error: a third of the letters. */
const SHARE = 3

/** Returns the closest name; undefined if no name is close, or two are equally close. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / SHARE))
  let best: { readonly name: string; readonly distance: number } | undefined
  let isTie = false
  for (const other of known) {
    if (Math.abs(other.length - name.length) > limit) continue
    const found = distance(name.toLowerCase(), other.toLowerCase())
    if (found > limit || found > (best?.distance ?? limit)) continue
    isTie = best?.distance === found && best.name !== other
    best = { name: other, distance: found }
  }
  return isTie ? undefined : best?.name
}

/**
 * Returns the closest name of a model: of the same layer and source, or of the same entity in the layer. A slip turns neither
 * stg_orders into int_orders nor stg_shop__items into stg_shop__orders.
 */
export function nearestModel(name: string, known: Iterable<string>): string | undefined {
  const { layer, source, entity } = partsOf(name)
  const kin = [...known].map(partsOf).filter((other) => layer === undefined || other.layer === layer)
  const siblings = kin.filter((other) => other.source === source).map((other) => other.entity)
  const closest = nearest(entity, siblings)
  if (closest !== undefined) return `${source}${closest}`
  const namesakes = kin.filter((other) => other.entity === entity && other.source !== source)
  const home = nearest(
    source,
    namesakes.map((other) => other.source),
  )
  return home === undefined ? undefined : `${home}${entity}`
}

interface NameParts {
  readonly layer: Layer | undefined
  /** The layer and the source as written: `stg_shop__`, `int_`. */
  readonly source: string
  readonly entity: string
}

function partsOf(name: string): NameParts {
  const layer = layerOfName(name)
  const [source = ''] = /^.+__/.exec(name) ?? (layer === undefined ? [] : (/^[^_]+_/.exec(name) ?? []))
  return { layer, source, entity: name.slice(source.length) }
}

/** Counts the letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}

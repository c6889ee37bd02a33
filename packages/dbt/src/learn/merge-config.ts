import type { Config } from '@stagecraft/spec'

type Plain = Readonly<Record<string, unknown>>

/** Merges one configuration over another: maps are merged by key; other values of `over` replace. */
export function mergeConfig(under: Config, over: Config): Config {
  return merge({ ...under }, { ...over })
}

function merge(under: Plain, over: Plain): Plain {
  const merged = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    merged[key] = isMap(below) && isMap(value) ? merge(below, value) : value
  }
  return merged
}

/** Returns the entries of a configuration as paths with their values; lists count as values. */
export function entriesOf(config: Config): readonly (readonly [path: readonly string[], value: unknown])[] {
  const walk = (
    value: unknown,
    path: readonly string[],
  ): readonly (readonly [readonly string[], unknown])[] =>
    isMap(value)
      ? Object.entries(value).flatMap(([key, inner]) => walk(inner, [...path, key]))
      : [[path, value]]
  return walk(config, [])
}

/** Returns the value at a path of a configuration. */
export function valueAt(config: Config, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isMap(value) ? value[key] : undefined), config)
}

/** Creates a configuration with one entry. */
export function configAt(path: readonly string[], value: unknown): Config {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Config
}

function isMap(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

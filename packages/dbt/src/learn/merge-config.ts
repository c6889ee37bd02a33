import type { Config } from '@stagecraft/spec'

type Plain = Readonly<Record<string, unknown>>

/**
 * Merges one configuration over another: maps are merged by key, and so are the words by which names are split; other
 * values of `over` replace.
 */
export function mergeConfig(under: Config, over: Config): Config {
  return merge({ ...under }, { ...over })
}

function merge(under: Plain, over: Plain): Plain {
  const merged = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    if (isMap(below) && isMap(value)) merged[key] = merge(below, value)
    else merged[key] = key === WORDS && isList(below) && isList(value) ? union(below, value) : value
  }
  return merged
}

/** The key of the words by which run-together names are split. Each is learned by itself. */
export const WORDS = 'words'

function union(under: readonly unknown[], over: readonly unknown[]): readonly unknown[] {
  return [...new Set([...under, ...over])]
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
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

import { type Config, MODEL_TYPES, type Naming } from '@stagecraft/spec'

/** Moves settings under their earlier names to the names of today, which win where a file has both. */
export function withNewNames(config: Config): Config {
  const sources = mapEntries(config.sources, (source) => {
    const tables = mapEntries(source.tables, (table) => ({ ...table, ...renamed(table) }))
    return { ...source, ...renamed(source), ...(tables && { tables }) }
  })
  return { ...config, ...renamed(config), ...(sources && { sources }) }
}

function renamed({ naming }: { readonly naming?: Naming | undefined }): { readonly naming?: Naming } {
  if (naming?.kinds === undefined) return {}
  const { kinds, types = {}, ...rest } = naming
  const set = MODEL_TYPES.filter((type) => kinds[type] ?? types[type])
  const merged = set.map((type) => [type, { ...kinds[type], ...types[type] }])
  return { naming: { ...rest, types: Object.fromEntries(merged) } }
}

function mapEntries<Entry>(
  entries: Readonly<Record<string, Entry>> | undefined,
  change: (entry: Entry) => Entry,
): Readonly<Record<string, Entry>> | undefined {
  return entries && Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, change(entry)]))
}

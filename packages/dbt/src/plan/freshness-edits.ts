import { lookUp } from '@stagecraft/core/run'
import type { Config } from '@stagecraft/spec'
import type { YamlEdit, YamlEntry, YamlOwner, YamlValue } from '../yaml/yaml-edit.ts'
import { isEntry } from './entry-edits.ts'
import type { GeneratedTable } from './generated.ts'
import { sourceKeys } from './named-settings.ts'

/** The keys by which an entry says how fresh its table is. Their place depends on the version of dbt. */
const KEYS = ['freshness', 'loaded_at_field', 'loaded_at_query'] as const

/** An entry of a source table that a person wrote, and its source. */
export interface PersonalEntry {
  readonly owner: YamlOwner
  readonly covers: string
  readonly table: YamlEntry
  readonly source: YamlEntry
}

/** The edits for a setting of the configuration, or the reason why there are none. */
export interface FreshnessEdits {
  readonly edits: readonly YamlEdit[]
  readonly notes: readonly string[]
}

const NOTHING: FreshnessEdits = { edits: [], notes: [] }

/** Adds the configured `loadedAt` to an entry that a person wrote, unless the person said how fresh the table is. */
export function freshnessEdits(
  { item: { table }, source: generated }: GeneratedTable,
  config: Config,
  { covers, owner, source, table: written }: PersonalEntry,
): FreshnessEdits {
  const column = sourceKeys(config, table)
    .map((key) => lookUp(config.sources?.[key]?.tables, table.name ?? '')?.loadedAt)
    .find((one) => one !== undefined)
  const asked = freshnessOf(generated?.table ?? {})
  if (column === undefined || Object.keys(asked).length === 0) return NOTHING
  const said = [written, source].map(loadedAtOf).find((one) => one !== undefined)
  if (said === column) return NOTHING
  const reason = (text: string): FreshnessEdits => ({
    edits: [],
    notes: [`${covers}: loadedAt: ${column} of stagecraft.yml is not written, because ${text}`],
  })
  if (said !== undefined) return reason(`the sources file says loaded_at_field: ${said}`)
  if (Object.keys(freshnessOf(written)).length > 0)
    return reason('the entry says how fresh the table is in another way')
  if (asked['config'] !== undefined && written['config'] !== undefined)
    return reason(`the entry has a config of its own; add loaded_at_field: ${column} there`)
  // a limit that the source sets for its tables stays
  const isLimited = Object.keys(freshnessOf(source)).length > 0
  const edits = Object.entries(isLimited ? withoutLimit(asked) : asked).flatMap(([key, value]) =>
    typeof value === 'string' || isEntry(value) ? [{ kind: 'set-property', owner, key, value } as const] : [],
  )
  return { edits, notes: [] }
}

/** Returns the parts of an entry that say how fresh its table is. */
function freshnessOf(entry: YamlEntry): YamlEntry {
  const own = pick(entry)
  const inConfig = pick(asEntry(entry['config']))
  return { ...own, ...(Object.keys(inConfig).length > 0 && { config: inConfig }) }
}

function withoutLimit({ config, freshness: _, ...rest }: YamlEntry): YamlEntry {
  return isEntry(config) ? { ...rest, config: withoutLimit(config) } : rest
}

function loadedAtOf(entry: YamlEntry): string | undefined {
  const found = entry['loaded_at_field'] ?? asEntry(entry['config'])['loaded_at_field']
  return typeof found === 'string' ? found : undefined
}

function pick(entry: YamlEntry): YamlEntry {
  return Object.fromEntries(KEYS.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]]])))
}

function asEntry(value: YamlValue | undefined): YamlEntry {
  return isEntry(value) ? value : {}
}

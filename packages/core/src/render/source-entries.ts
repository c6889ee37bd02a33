import type { FreshnessAge } from '@stagecraft/spec'
import type { Plan, SourceColumn, SourceEntry } from '../plan/plan.ts'
import { compareText } from '../source-name/stored-name.ts'
import { escapeJinja } from '../sql/jinja.ts'
import type { YamlProfile } from '../yaml/profiles.ts'
import { printDescription } from './describe.ts'
import { type PropertyTree, withoutEmpty } from './property-tree.ts'

/** A dbt source with its tables, as the template of sources files gets it. */
export interface SourceTree {
  readonly entry: PropertyTree
  readonly tables: readonly PropertyTree[]
}

/** The sources of some plans: one each, its tables in the order of the plans. */
export function sourceTrees(plans: readonly Plan[], profile: YamlProfile): readonly SourceTree[] {
  const bySource = Map.groupBy(distinctTables(plans), ({ name }) => name)
  return [...bySource.entries()]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, entries]) => sourceTree(entries, profile))
}

/** A table that several kinds of model read has one entry. */
function distinctTables(plans: readonly Plan[]): readonly SourceEntry[] {
  const entries = plans.flatMap(({ source }) => source ?? [])
  return [...new Map(entries.map((entry) => [`${entry.name}.${entry.table.name}`, entry])).values()]
}

function sourceTree(entries: readonly SourceEntry[], profile: YamlProfile): SourceTree {
  const [first] = entries
  const loaders = new Set(entries.flatMap(({ loader }) => loader ?? []))
  const commonLoader = loaders.size === 1 ? [...loaders][0] : undefined
  const { identifier: _, ...quoting } = first?.quoting ?? {}
  return {
    entry: withoutEmpty({
      name: first?.name,
      description: printDescription(first?.description),
      database: first?.database && escapeJinja(first.database),
      schema: first?.schema && escapeJinja(first.schema),
      loader: commonLoader,
      quoting: { ...quoting },
    }),
    tables: entries.map((entry) => tableTree(entry, commonLoader === undefined, profile)),
  }
}

function tableTree(
  { loader, quoting, table }: SourceEntry,
  ownLoader: boolean,
  profile: YamlProfile,
): PropertyTree {
  const freshness = table.freshness && freshnessTree(table.freshness)
  const loadedAt = table.loadedAt
  const config = withoutEmpty({
    freshness: profile.freshnessInConfig ? freshness : undefined,
    loaded_at_field: profile.loadedAtInConfig ? loadedAt : undefined,
    external_location: profile.extrasInConfig ? table.location : undefined,
  })
  return withoutEmpty({
    name: table.name,
    identifier: table.identifier && escapeJinja(table.identifier),
    description: printDescription(table.description),
    loader: ownLoader ? loader : undefined,
    quoting: quoting.identifier ? { identifier: true } : undefined,
    config,
    meta:
      profile.extrasInConfig || table.location === undefined
        ? undefined
        : { external_location: table.location },
    freshness: profile.freshnessInConfig ? undefined : freshness,
    loaded_at_field: profile.loadedAtInConfig ? undefined : loadedAt,
    columns: table.columns.map(columnTree),
  })
}

function columnTree({ dataType, description, name, quote }: SourceColumn): PropertyTree {
  return withoutEmpty({
    name: escapeJinja(name),
    quote: quote || undefined,
    description: printDescription(description),
    data_type: escapeJinja(dataType),
  })
}

function freshnessTree({
  errorAfter,
  warnAfter,
}: NonNullable<SourceEntry['table']['freshness']>): PropertyTree {
  const age = (value: FreshnessAge | undefined): PropertyTree | undefined =>
    value && { count: value.count, period: value.period }
  return withoutEmpty({ warn_after: age(warnAfter), error_after: age(errorAfter) })
}

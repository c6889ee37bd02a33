import type { FreshnessAge } from '@stagecraft/spec'
import type { SourceColumn, SourceEntry } from '../plan/plan.ts'
import { escapeJinja } from '../sql/jinja.ts'
import type { YamlProfile } from '../yaml/profiles.ts'
import { printDescription } from './describe.ts'
import { type PropertyTree, withoutEmpty } from './property-tree.ts'

/** The entry of a dbt source, without its tables. The loader stands here when all tables share it. */
export function sourceTree(source: SourceEntry, commonLoader: string | undefined): PropertyTree {
  const { identifier: _, ...quoting } = source.quoting
  return withoutEmpty({
    name: source.name,
    description: printDescription(source.description),
    database: source.database && escapeJinja(source.database),
    schema: source.schema && escapeJinja(source.schema),
    loader: commonLoader,
    quoting: { ...quoting },
  })
}

/** The entry of a table in its source. */
export function tableTree(
  { loader, quoting, table }: SourceEntry,
  commonLoader: string | undefined,
  profile: YamlProfile,
): PropertyTree {
  const freshness = table.freshness && freshnessTree(table.freshness)
  const extras = table.location === undefined ? {} : { external_location: table.location }
  const config = withoutEmpty({
    freshness: profile.freshnessInConfig ? freshness : undefined,
    loaded_at_field: profile.loadedAtInConfig ? table.loadedAt : undefined,
    ...(profile.extrasInConfig && extras),
  })
  return withoutEmpty({
    name: table.name,
    identifier: table.identifier && escapeJinja(table.identifier),
    description: printDescription(table.description),
    loader: loader === commonLoader ? undefined : loader,
    quoting: quoting.identifier ? { identifier: true } : undefined,
    config,
    meta: profile.extrasInConfig ? undefined : extras,
    freshness: profile.freshnessInConfig ? undefined : freshness,
    loaded_at_field: profile.loadedAtInConfig ? undefined : table.loadedAt,
    columns: table.columns.map(columnTree),
  })
}

function columnTree({ dataType, description, name, quote }: SourceColumn): PropertyTree {
  return withoutEmpty({
    name: escapeJinja(name),
    quote: quote || undefined,
    description: printDescription(description),
    data_type: dataType === undefined ? undefined : escapeJinja(dataType),
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

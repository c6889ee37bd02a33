import type { Dialect } from '@stagecraft/dialects'
import type { FreshnessAge } from '@stagecraft/spec'
import type {
  Description,
  Plan,
  PlannedColumn,
  PlannedTest,
  SourceColumn,
  SourceEntry,
} from '../plan/plan.ts'
import { escapeIdentifier, escapeJinja, isAscii } from '../sql/identifiers.ts'
import type { YamlProfile } from '../yaml/profiles.ts'

/** The content of a property file: plain data, ready for the YAML emitter. */
export type PropertyTree = { readonly [key: string]: unknown }

/** The tree of a column under construction, entry by entry: there are too many columns to build each twice. */
type MutableTree = Record<string, unknown>

/** Returns the entries that have a value, in their order. An empty list or object is not a value. */
function withoutEmpty(tree: PropertyTree): PropertyTree {
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(tree)) {
    const value = tree[key]
    if (!isEmpty(value)) kept[key] = value
  }
  return kept
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined
  if (Array.isArray(value)) return value.length === 0
  for (const key in value) if (Object.hasOwn(value, key)) return false
  return true
}

/**
 * Returns a description for a property file. Only the user's own text may hold Jinja (`{{ doc('x') }}`); in any other
 * text it is escaped, because dbt would run it. Control characters, which YAML forbids, are removed.
 */
export function printDescription(description: Description | undefined): string | undefined {
  if (!description) return undefined
  const text = isAscii(description.text) ? description.text.trim() : cleanText(description.text)
  return description.origin === 'user' ? text : escapeJinja(text)
}

function cleanText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- these must be removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]/g, '')
      .replace(/\p{Surrogate}/gu, '')
      .trim()
  )
}

interface PropertyStyle {
  readonly dialect: Dialect
  readonly profile: YamlProfile
}

/** Returns the entry of a model in its YAML file. */
export function modelTree(plan: Plan, style: PropertyStyle): PropertyTree {
  const { profile } = style
  const { contract, description, name, tests } = plan.model
  return withoutEmpty({
    name,
    description: printDescription(description),
    ...withOrigin(description, contract ? { contract: { enforced: true } } : {}, profile),
    [profile.testsKey]: tests.map((test) => testTree(test, plan, profile)),
    columns: plan.columns.map((column) => columnTree(column, plan, style)),
  })
}

function columnTree(column: PlannedColumn, plan: Plan, { dialect, profile }: PropertyStyle): PropertyTree {
  // dbt quotes the name on request, but escapes nothing inside the quotes.
  const name = column.quoted ? escapeIdentifier(column.name, dialect) : column.name
  const tree: MutableTree = { name: escapeJinja(name) }
  if (column.quoted) tree['quote'] = true
  if (column.description) tree['description'] = printDescription(column.description)
  if (column.description?.origin === 'llm')
    Object.assign(tree, withoutEmpty(withOrigin(column.description, {}, profile)))
  if (plan.model.dataTypes) tree['data_type'] = column.dataType
  if (column.tests.length > 0)
    tree[profile.testsKey] = column.tests.map((test) => testTree(test, plan, profile))
  return tree
}

/** Marks a description as written by a language model, so that people know what to check. */
function withOrigin(
  description: Description | undefined,
  config: PropertyTree,
  { metaInConfig }: YamlProfile,
): PropertyTree {
  if (description?.origin !== 'llm') return { config }
  const meta = { stagecraft: { description: 'llm' } }
  return metaInConfig ? { config: { ...config, meta } } : { config, meta }
}

/** Returns the bare name if there is nothing to add. */
function testTree(test: PlannedTest, plan: Plan, profile: YamlProfile): string | PropertyTree {
  if (isBare(test, plan)) return test.name
  const config = withoutEmpty({
    severity: test.severity === 'warn' ? 'warn' : undefined,
    meta: plan.style.testReasons
      ? { stagecraft: withoutEmpty({ evidence: test.evidence, figures: test.figures }) }
      : undefined,
  })
  const body = withoutEmpty({
    name: test.label,
    ...(profile.testArguments ? { arguments: test.arguments } : test.arguments),
    config,
  })
  return isEmpty(body) ? test.name : { [test.name]: body }
}

/** Returns true for a test that only has a name, as most do. */
function isBare({ arguments: given, label, severity }: PlannedTest, { style }: Plan): boolean {
  return label === undefined && severity !== 'warn' && !style.testReasons && isEmpty(given)
}

/** Returns the entry of a dbt source, without its tables. It states the loader if all tables share it. */
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

/** Returns the entry of a table in its source. */
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
    columns: table.columns.map(sourceColumnTree),
  })
}

function sourceColumnTree({ dataType, description, name, quote }: SourceColumn): PropertyTree {
  const tree: MutableTree = { name: escapeJinja(name) }
  if (quote) tree['quote'] = true
  if (description) tree['description'] = printDescription(description)
  if (dataType !== undefined) tree['data_type'] = escapeJinja(dataType)
  return tree
}

function freshnessTree({
  errorAfter,
  warnAfter,
}: NonNullable<SourceEntry['table']['freshness']>): PropertyTree {
  const age = (value: FreshnessAge | undefined): PropertyTree | undefined =>
    value && { count: value.count, period: value.period }
  return withoutEmpty({ warn_after: age(warnAfter), error_after: age(errorAfter) })
}

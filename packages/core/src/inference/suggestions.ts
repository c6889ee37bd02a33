import type { CatalogTable, Config, TableReference } from '@stagecraft/spec'
import { lookUpKey, sourceKey } from '../config/settings.ts'
import type {
  Fact,
  FactKind,
  Inference,
  InferenceOrigin,
  ProposedFact,
  ProposedKey,
  ProposedReference,
} from './inference.ts'
import { JOINED } from './joined-references.ts'
import { FLAG } from './find-value-lists.ts'

/** The kinds of suggestions: settings of `stagecraft.yml`, and notes that no setting states. */
export type SuggestionKind =
  | 'key'
  | 'references'
  | 'values'
  | 'notNull'
  | 'range'
  | 'as'
  | 'loadedAt'
  | 'form'
  | 'deleted'
  | 'versions'

/** A value that a setting can take. */
export type SettingValue =
  | string
  | number
  | boolean
  | readonly SettingValue[]
  | { readonly [key: string]: SettingValue }

/** A proposal as text, with the setting that accepts it. */
export interface Suggestion {
  /** `shop.orders.status:values`: stable, whatever else is proposed. */
  readonly id: string
  readonly kind: SuggestionKind
  readonly table: CatalogTable
  readonly columns: readonly string[]
  /** The proposal: `customers.id`, `open, closed`. */
  readonly text: string
  /** The rule, and the evidence. */
  readonly why: string
  readonly origin: InferenceOrigin
  readonly confidence: number
  /** True if a few rows contradict it, so that its test would fail today. @default false */
  readonly isBroken?: boolean
  /** The setting of `stagecraft.yml` that accepts it; absent for notes. */
  readonly setting?: { readonly path: readonly string[]; readonly value: SettingValue }
}

/** A suggestion as JSON. */
export interface SuggestionData extends Omit<Suggestion, 'table' | 'setting' | 'isBroken'> {
  readonly table: TableReference
  readonly setting: Suggestion['setting'] | null
}

/** Converts a suggestion to JSON, with the name of its table instead of the table. */
export function suggestionData({ setting, table, ...suggestion }: Suggestion): SuggestionData {
  const { columns, confidence, id, kind, origin, text, why } = suggestion
  const { database, name, schema } = table
  const place = {
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    name,
  }
  return { id, kind, table: place, columns, text, why, origin, confidence, setting: setting ?? null }
}

/**
 * Lists the proposals of inference in the order of the tables: key, references, facts about columns. Facts that the
 * warehouse declares or the configuration states are left out.
 */
export function suggestionsOf(inference: Inference, config: Config): readonly Suggestion[] {
  const all: readonly Suggestion[] = [
    ...inference.keys.filter(({ origin }) => origin !== 'declared').map((key) => suggestKey(key, config)),
    ...inference.references
      .filter(({ origin }) => origin !== 'declared')
      .map((reference) => suggestReference(reference, config)),
    // a flag gets the suggestion of its conversion, which says more
    ...inference.facts.filter(({ rule }) => rule !== FLAG).map((fact) => suggestFact(fact, config)),
  ]
  const places = new Map<CatalogTable, number>()
  for (const { table } of all) if (!places.has(table)) places.set(table, places.size)
  return all
    .filter(({ setting }) => !setting || valueAt(config, setting.path) === undefined)
    .toSorted((a, b) => (places.get(a.table) ?? 0) - (places.get(b.table) ?? 0))
}

/** Later rows break one in eight keys that only rows show. */
const SURE_KEY = 0.97

/**
 * Returns true for a suggestion that `--accept all` accepts. Accepted settings are tested as errors, so a suggestion by
 * names alone, a reference with values without a parent, a list of values, and a key that only the rows at hand show
 * need a decision of their own.
 */
export function isAcceptedByAll({
  confidence,
  isBroken = false,
  kind,
  origin,
  setting,
}: Suggestion): boolean {
  return (
    setting !== undefined &&
    !isBroken &&
    origin !== 'name' &&
    (origin !== 'data' || (kind !== 'values' && (kind !== 'key' || confidence >= SURE_KEY)))
  )
}

function suggestKey(
  { columns, confidence, origin, rows, rule, sampled, table }: ProposedKey,
  config: Config,
): Suggestion {
  return {
    id: `${nameOf(table)}:key`,
    kind: 'key',
    table,
    columns,
    text: columns.map(spell).join(', '),
    why: explain(rule, rows === undefined ? undefined : `unique in ${ofSample(sampled, count(rows, 'row'))}`),
    origin,
    confidence,
    setting: { path: [...pathOf(table, config), 'key'], value: columns },
  }
}

function suggestReference(
  { child, confidence, joins, origin, parent, rule, sampled, values }: ProposedReference,
  config: Config,
): Suggestion {
  const isElsewhere = parent.table.schema !== child.table.schema
  const parts = [...(isElsewhere ? [parent.table.schema ?? ''] : []), parent.table.name, ...parent.columns]
  const [column = ''] = child.columns
  const isSetting =
    child.columns.length === 1 && parent.columns.length === 1 && !parts.some((part) => /[.]|^$/.test(part))
  const orphans =
    values && values.orphans > 0
      ? `, ${values.orphans.toLocaleString('en-US')} of them without a parent row`
      : ''
  return {
    id: `${nameOf(child.table)}.${child.columns.map(spell).join('+')}:references`,
    kind: 'references',
    table: child.table,
    columns: child.columns,
    text: isElsewhere
      ? `${nameOf(parent.table)}.${parent.columns.map(spell).join('+')}`
      : `${spell(parent.table.name)}.${parent.columns.map(spell).join('+')}`,
    why: explain(
      rule,
      values ? `${ofSample(sampled, count(values.checked, 'distinct value'))}${orphans}` : undefined,
      joins,
    ),
    origin,
    confidence,
    ...(orphans !== '' && { isBroken: true }),
    ...(isSetting && {
      setting: {
        path: columnPath(child.table, column, { config, key: 'references' }),
        value: parts.join('.'),
      },
    }),
  }
}

/** The setting that states a fact; a note has no value. */
interface Stated {
  readonly kind: SuggestionKind
  readonly text: string
  readonly value?: SettingValue
}

type States = {
  readonly [Kind in FactKind]: (fact: Extract<Fact, { readonly kind: Kind }>, column: string) => Stated
}

const FORMS = { json: 'JSON', url: 'web addresses', email: 'e-mail addresses' } as const

const STATES: States = {
  values: ({ values }) => ({ kind: 'values', text: values.join(', '), value: values }),
  not_null: () => ({ kind: 'notNull', text: 'never null', value: true }),
  range: ({ kind: _, ...range }) => ({ kind: 'range', text: printRange(range), value: range }),
  conversion: ({ as }) => ({ kind: 'as', text: as, value: as }),
  freshness: (_, column) => ({ kind: 'loadedAt', text: 'shows how fresh the table is', value: column }),
  form: ({ form }) => ({ kind: 'form', text: FORMS[form] }),
  day_or_month: () => ({
    kind: 'form',
    text: 'days, but two of their parts may be the month; if you know the order, set as: date_day_first or date_month_first',
  }),
  deleted: () => ({ kind: 'deleted', text: 'marks deleted rows' }),
  versions: ({ by }, column) => ({
    kind: 'versions',
    text: `versions of a row by ${by}: key: [${column}] with loadMode: append keeps the newest`,
  }),
}

function printRange({ max, min }: { readonly min?: number; readonly max?: number }): string {
  if (min === undefined) return `${max ?? ''} or less`
  return max === undefined ? `${min} or more` : `${min} to ${max}`
}

/** Describes a fact. The table above checks that a kind and its fact match; a lookup cannot. */
function state(fact: Fact, column: string): Stated {
  const statement = STATES[fact.kind] as (fact: Fact, column: string) => Stated
  return statement(fact, column)
}

function suggestFact(
  { column, confidence, fact, origin, rows, rule, sampled, table }: ProposedFact,
  config: Config,
): Suggestion {
  const { kind, text, value } = state(fact, column)
  const path =
    kind === 'loadedAt'
      ? [...pathOf(table, config), 'loadedAt']
      : columnPath(table, column, { config, key: kind })
  return {
    id: `${nameOf(table)}.${spell(column)}:${kind}`,
    kind,
    table,
    columns: [column],
    text,
    why: explain(rule, `in ${ofSample(sampled, count(rows, 'row'))}`),
    origin,
    confidence,
    ...(value !== undefined && { setting: { path, value } }),
  }
}

function explain(rule: string, figures: string | undefined, joins: readonly string[] = []): string {
  const words = rule.replaceAll('_', ' ')
  const byNames = rule === JOINED ? [] : ['by names']
  return [words, ...(figures === undefined ? byNames : [figures]), ...printJoins(joins)].join(', ')
}

/** The number of places to name; the others are counted. */
const NAMED_PLACES = 2

/** `joined at models/orders.sql:3, models/visits.sql:9 and 2 other places`. */
function printJoins(joins: readonly string[]): readonly string[] {
  if (joins.length === 0) return []
  const others = joins.length - NAMED_PLACES
  const named = joins.slice(0, NAMED_PLACES).join(', ')
  return [`joined at ${named}${others > 0 ? ` and ${count(others, 'other place')}` : ''}`]
}

function ofSample(isSampled: boolean | undefined, counted: string): string {
  return isSampled ? `a sample of ${counted}` : counted
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? noun : `${noun}s`}`
}

function nameOf({ name, schema }: CatalogTable): string {
  return schema === undefined ? spell(name) : `${spell(schema)}.${spell(name)}`
}

/** Prints a stored name as in a source name: in double quotes unless it is a plain word. */
function spell(name: string): string {
  return /^[\p{L}_][\p{L}\p{M}\p{N}_$]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

function pathOf(table: CatalogTable, config: Config): readonly string[] {
  const { database, name, schema = '' } = table
  const key = sourceKey(config, { database, schema, table: name }) ?? schema
  const tables = config.sources?.[key]?.tables
  return ['sources', key, 'tables', lookUpKey(tables, name) ?? name]
}

function columnPath(
  table: CatalogTable,
  column: string,
  { config, key }: { readonly config: Config; readonly key: string },
): readonly string[] {
  const path = pathOf(table, config)
  const [, source = '', , own = ''] = path
  const columns = config.sources?.[source]?.tables?.[own]?.columns
  return [...path, 'columns', lookUpKey(columns, column) ?? column, key]
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  )
}

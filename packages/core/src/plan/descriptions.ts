import type { Dialect } from '@stagecraft/dialects'
import type { ColumnValue, Conversion } from '@stagecraft/spec'
import type { StagedColumn } from './staged-column.ts'
import type { DeletedRows } from './rows.ts'
import type { Description, DescriptionRule, Key, PlannedRows } from './plan.ts'
import { columnEditOf, type Subject } from './subject.ts'
import type { Reference } from './test-references.ts'

export interface DescriptionInput {
  readonly subject: Subject
  readonly key: Key | undefined
  readonly references: readonly Reference[]
}

/**
 * Describes a column by the configuration, else by the warehouse's comment, else by a backend's proposal,
 * else by a rule. Returns undefined rather than the name in other words.
 */
export function describeColumn(column: StagedColumn, input: DescriptionInput): Description | undefined {
  const configured = column.config.description
  if (configured !== undefined) return { text: configured, origin: 'user' }
  const comment = column.column?.comment?.trim()
  if (comment) return { text: withConversion(comment, column.conversion), origin: 'comment' }
  const edited = columnEditOf(input.subject, column.ordinal)?.description
  if (edited && !column.isMetadata) return { text: edited, origin: 'llm' }
  return ruleFor(column, input)
}

interface Unit {
  readonly conversions: readonly Conversion[]
  /** The words of a comment that are about the stored value. */
  readonly words: RegExp
  /** The form of the staged value. */
  readonly staged: string
}

const UNITS: readonly Unit[] = [
  {
    conversions: ['cents'],
    words: /\b(?:cents?|pence|pennies|minor (?:currency )?units?|smallest (?:currency )?units?)\b/i,
    staged: 'whole units',
  },
  {
    conversions: ['epoch_seconds', 'epoch_milliseconds', 'epoch_microseconds'],
    words: /\b(?:epoch|unix|(?:milli|micro)?(?:secs?|seconds?)|ms|millis|micros|since 1970)\b/i,
    staged: 'a timestamp',
  },
  {
    conversions: ['date', 'date_day_first', 'date_month_first', 'date_yyyymmdd'],
    words: /\b(?:yy(?:yy)?|mm|dd|yyyymmdd|ddmmyyyy|mmddyyyy|format|text|string|char|varchar)\b/i,
    staged: 'a date',
  },
  {
    conversions: ['timestamp'],
    words: /\b(?:yy(?:yy)?|mm|dd|iso|format|text|string|char|varchar)\b/i,
    staged: 'a timestamp',
  },
  {
    conversions: ['boolean'],
    words: /\b(?:y\W{1,5}n|yes\W{1,5}no|t\W{1,5}f|1\W{1,5}0|0\W{1,5}1|[yntf01]\s?[=:])/i,
    staged: 'a boolean',
  },
  { conversions: ['integer', 'decimal', 'float'], words: /\b(?:text|string|varchar)\b/i, staged: 'a number' },
]

/**
 * Adds the staged form to a comment that mentions the form or unit in the source. The comment itself is not changed.
 */
function withConversion(comment: string, conversion: Conversion | undefined): string {
  const unit = UNITS.find(({ conversions }) => conversions.some((one) => one === conversion))
  if (!unit?.words.test(comment)) return comment
  return `${comment}${/[.!?]$/.test(comment) ? '' : '.'} Converted to ${unit.staged} here.`
}

function ruleFor(column: StagedColumn, input: DescriptionInput): Description | undefined {
  const { loader, settings } = input.subject
  const stored = column.column?.name ?? ''
  if (column.change === 'deleted')
    return byRule('deleted rows', 'True when the row was deleted in the source system.')
  const loaders = column.isMetadata ? loader?.columns[stored.toLowerCase()] : undefined
  if (loaders !== undefined) return byRule('loader', loaders)
  return (
    byRule('key', keyRule(stored, input.key)) ??
    byRule('reference', referenceRule(column, input.references)) ??
    byRule('moment', momentRule(column, input.subject.entity.singular, settings.dialect)) ??
    byRule('boolean', booleanRule(column, input.subject)) ??
    byRule('list', listRule(column, input.subject)) ??
    byRule('form', formRule(column, input.subject))
  )
}

function byRule(rule: DescriptionRule, text: string | undefined): Description | undefined {
  return text === undefined ? undefined : { text, origin: 'rule', rule }
}

function keyRule(stored: string, key: Key | undefined): string | undefined {
  if (!key?.columns.includes(stored) || key.repeats) return undefined
  const others = key.columns.filter((name) => name !== stored).map((name) => `\`${name}\``)
  if (others.length > 0) return `Part of the key, with ${others.join(' and ')} of the source.`
  return key.evidence === 'name' ? 'Primary key by its name; the source declares none.' : 'Primary key.'
}

function referenceRule(column: StagedColumn, references: readonly Reference[]): string | undefined {
  const reference = references.find((other) => other.column === column)
  if (!reference) return undefined
  const { parent, parentColumn, parentTable } = reference
  return parent
    ? `Foreign key to \`${parent.model}\`.`
    : `Foreign key to \`${parentColumn}\` of the source table \`${parentTable}\`.`
}

const EVENTS: ReadonlyMap<string, string> = new Map([
  ['created_at', 'created'],
  ['updated_at', 'last changed'],
])

function momentRule(
  { change, family, name }: StagedColumn,
  entity: string,
  { idioms }: Dialect,
): string | undefined {
  if (!family.startsWith('timestamp')) return undefined
  const isUtc = change === 'utc' || (family === 'timestamp_tz' && idioms.toUtc === undefined)
  const event = EVENTS.get(name)
  if (event !== undefined)
    return `When the ${entity.replaceAll('_', ' ')} was ${event}${isUtc ? ', in UTC' : ''}.`
  return change === 'utc' ? 'In UTC; the source keeps a time zone.' : undefined
}

/** Describes a column that a person's SQL selects under the name of an event; undefined for other names. */
export function describeAsNamed(
  column: StagedColumn,
  name: string,
  { subject }: Pick<DescriptionInput, 'subject'>,
): string | undefined {
  if (!EVENTS.has(name) || subject.settings.options.addDocs !== true) return undefined
  return momentRule({ ...column, name }, subject.entity.singular, subject.settings.dialect)
}

function booleanRule({ change, column, config }: StagedColumn, { table }: Subject): string | undefined {
  const values = config.values ?? column?.values ?? observedValues(column, table)
  if (change !== 'boolean' || !values) return undefined
  const list = values.map((value) => `\`${value}\``).join(' or ')
  return `From ${list} in the source.`
}

/** Longer lists are left to the test. */
const MOST_LISTED_VALUES = 10
/** Values that read well in a sentence. */
const PLAIN_VALUE = /^[\p{L}\p{N}][\p{L}\p{N} ._:/+-]{0,29}$/u

function listRule({ change, column, config, family }: StagedColumn, { table }: Subject): string | undefined {
  const listed = config.values ?? column?.values ?? observedValues(column, table)
  if (listed === undefined) return undefined
  const values = [...new Set(listed)]
  const isShort = values.length > 1 && values.length <= MOST_LISTED_VALUES
  const arePlain = values.every((value) => PLAIN_VALUE.test(String(value)))
  if (change !== 'none' || family === 'boolean' || !isShort || !arePlain) return undefined
  const names = values.map((value) => `\`${value}\``)
  return `One of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`
}

/** Returns the values that a profile of the rows found, if there are few. */
function observedValues(
  column: StagedColumn['column'],
  { observed }: Subject['table'],
): readonly ColumnValue[] | undefined {
  return observed?.values?.find((list) => list.column === column?.name)?.values
}

const FORMS = { json: 'JSON.', email: 'E-mail address.', url: 'Web address.' } as const

function formRule({ change, column, family }: StagedColumn, { table }: Subject): string | undefined {
  const observed = table.observed?.forms?.find((one) => one.column === column?.name)
  return observed && change === 'none' && family === 'string' ? FORMS[observed.form] : undefined
}

export interface ModelFacts {
  readonly key: Key | undefined
  readonly rows: PlannedRows
  readonly deleted: DeletedRows | undefined
}

/** Describes the grain and the rows of the model, if known. */
export function describeModel(
  { entity, item, loader, settings, table }: Subject,
  { key, rows }: ModelFacts,
): Description | undefined {
  if (settings.table.description !== undefined) return { text: settings.table.description, origin: 'user' }
  const comment = table.comment?.trim()
  if (comment) return { text: comment, origin: 'comment' }
  const edited = item.edit?.description
  const sentences = [
    ...(edited ? [edited] : grain(key, entity.singular)),
    ...(rows.deduplicate ? [`Only the ${rows.deduplicate.keeps} version of each row is kept.`] : []),
    ...(rows.where ? [`Rows that ${loader?.title ?? 'the loader'} marked as deleted are left out.`] : []),
  ]
  if (sentences.length === 0) return undefined
  const text = sentences.join(' ')
  return edited ? { text, origin: 'llm' } : byRule('grain and rows', text)
}

function grain(key: Key | undefined, entity: string): readonly string[] {
  if (!key || key.evidence === 'name') return []
  if (key.columns.length > 1)
    return [`One row per ${key.columns.map((name) => `\`${name}\``).join(' and ')} of the source.`]
  return [`One row per ${entity.replaceAll('_', ' ')}.`]
}

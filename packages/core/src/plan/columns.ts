import type { Family } from '@stagecraft/dialects'
import type { Column, ColumnConfig, Conversion, Warning } from '@stagecraft/spec'
import { lookUp } from '../config/settings.ts'
import { isLoaderColumn } from '../loaders/detect.ts'
import {
  type ColumnNames,
  type ColumnNaming,
  type NameRule,
  type NamedColumn,
  type RuledName,
  expandEntity,
  inCase,
  nameColumn,
} from '../naming/column-name.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import type { DecidedNaming, DecidedOptions } from '../presets/preset.ts'
import { giveNames, NAMELESS } from './give-names.ts'
import { needsQuotes, printIdentifier } from '../sql/identifiers.ts'
import { convertColumn } from './convert-column.ts'
import type { DeletedRows } from './rows.ts'
import {
  COLUMN_GROUPS,
  type ColumnGroup,
  type GroupRule,
  type Key,
  type LeftOutColumn,
  type ValueRule,
} from './plan.ts'
import type { ReadColumn } from './read-columns.ts'
import type { StagedColumn } from './staged-column.ts'
import { type Subject, columnEditOf } from './subject.ts'

const FAMILY_GROUPS: Readonly<Record<Family, ColumnGroup>> = {
  integer: 'numerics',
  decimal: 'numerics',
  float: 'numerics',
  boolean: 'booleans',
  string: 'strings',
  uuid: 'ids',
  date: 'dates',
  time: 'other',
  timestamp_ntz: 'timestamps',
  timestamp_tz: 'timestamps',
  interval: 'other',
  json: 'semi-structured',
  struct: 'semi-structured',
  array: 'semi-structured',
  map: 'semi-structured',
  binary: 'other',
  geo: 'other',
  other: 'other',
}

/** Names of columns that identify something; the number distinguishes a taken name. */
const ID_NAME = /(?:^|_)(?:id|uuid|guid)(?:_\d+)?$/

interface GroupDecision {
  readonly group: ColumnGroup
  readonly rule: GroupRule
}

/** Returns the group of a column. */
function groupOf(
  column: Pick<StagedColumn, 'family' | 'isMetadata' | 'name'>,
  isReference: boolean,
): GroupDecision {
  const { family, isMetadata, name } = column
  if (isMetadata) return { group: 'metadata', rule: 'metadata' }
  const mayBeId = family === 'integer' || family === 'string' || family === 'decimal'
  if (isReference) return { group: 'ids', rule: 'key' }
  if (mayBeId && ID_NAME.test(name)) return { group: 'ids', rule: 'name' }
  return { group: FAMILY_GROUPS[family], rule: 'family' }
}

const GROUP_RANKS: ReadonlyMap<ColumnGroup, number> = new Map(
  COLUMN_GROUPS.map((group, index) => [group, index * 2] as const),
)

/** Returns a staged name with `_` between its words, whatever the case of the project. */
function wordsOf(name: string, { columns }: Pick<DecidedNaming, 'columns'>): string {
  return columns === 'camel' || columns === 'pascal' ? toSnakeCase(name) : name
}

/** Sorts by group, with the table's own key first; otherwise keeps the order of the source. */
function inGroups(columns: readonly StagedColumn[], key: Key | undefined): readonly StagedColumn[] {
  const ranked: StagedColumn[][] = []
  for (const staged of columns) {
    const isOwnKey = staged.column !== undefined && key?.columns.includes(staged.column.name)
    const rank = (GROUP_RANKS.get(staged.group) ?? 0) + (isOwnKey ? 0 : 1)
    ;(ranked[rank] ??= []).push(staged)
  }
  return ranked.flat()
}

function leftOut(
  { name }: Column,
  rule: LeftOutColumn['rule'],
  { metadataColumns }: Pick<DecidedOptions, 'metadataColumns'>,
): Warning {
  const reason = rule === 'exclude' ? 'stagecraft.yml excludes it' : `metadataColumns is "${metadataColumns}"`
  return { code: 'COLUMN_LEFT_OUT', message: `${name} is not in the model: ${reason}`, column: name }
}

function nameWarnings({ name: column }: Column, names: ColumnNames): readonly Warning[] {
  if (!names.wasReplaced && !names.wasShortened) return NO_WARNINGS
  const became = `${JSON.stringify(column)} is staged as ${names.candidates[0]?.name ?? ''}`
  const warnings: Warning[] = []
  if (names.wasReplaced) {
    const message = `${became}: it has no letter or digit that a plain name can keep`
    warnings.push({ code: 'NAME_REPLACED', message, column })
  }
  if (names.wasShortened) {
    warnings.push({
      code: 'NAME_SHORTENED',
      message: `${became}: the warehouse does not allow longer names`,
      column,
    })
  }
  return warnings
}

/** The decisions about a column before names are assigned. */
interface Draft extends Omit<StagedColumn, 'name' | 'alias' | 'quoted' | 'group' | 'reasons'> {
  /** The rule that made the expression. */
  readonly rule: ValueRule
  readonly conversion: Conversion | undefined
  /** Part of the table's own key. */
  readonly isKey: boolean
  /** Part of a key, here or in another table. */
  readonly isReference: boolean
  readonly names: ColumnNames
  readonly warnings: readonly Warning[]
}

/** A column that the model does not have, and why. */
interface LeftOut {
  readonly leftOut: LeftOutColumn
  readonly warnings: readonly Warning[]
}

interface ColumnContext {
  readonly subject: Subject
  readonly key: Key | undefined
  readonly deleted: DeletedRows | undefined
}

/** The context for drafting the columns of one table. */
interface DraftContext extends ColumnContext {
  readonly naming: ColumnNaming
}

const NOT_CONFIGURED: ColumnConfig = {}

const NO_WARNINGS: readonly Warning[] = []

/** Decides whether a column is staged, its value, and the names that it may take. */
function draftColumn(column: ReadColumn, position: number, context: DraftContext): Draft | LeftOut {
  const { ordinal = position } = column
  const { deleted, key, naming, subject } = context
  const { options, table } = subject.settings
  const config = lookUp(table.columns, column.name) ?? NOT_CONFIGURED
  const isKey = key?.columns.includes(column.name) ?? false
  const isLoaders = isLoaderColumn(column.name, subject.loader)
  const rule = ruleToLeaveOut(column, { config, isLoaders: isLoaders && !isKey, subject })
  if (rule !== undefined)
    return { leftOut: { source: column.name, rule }, warnings: [leftOut(column, rule, options)] }
  const isFlag = options.deletedRows === 'flag' && deleted?.column === column && deleted.replacesColumn
  if (isFlag) return { ...flagDraft(deleted, subject), column, ordinal, config }
  const isReference = isKey || config.references !== undefined || isForeignKey(column, subject)
  const converted = convertColumn(column, {
    config,
    edit: columnEditOf(subject, ordinal),
    isKey: isReference || isUnique(column, subject),
    subject,
  })
  const isMetadata = isLoaders && config.name === undefined
  const { conversion, family } = converted
  const named = { name: column.name, ordinal, family, isMetadata, conversion }
  const names = fixedNamesOf(named, config, subject) ?? nameColumn(named, naming)
  const warnings = joined(converted.warnings, nameWarnings(column, names))
  return { ...converted, column, ordinal, config, isMetadata, isKey, isReference, names, warnings }
}

/** Drafts `is_deleted` for a mark that is not a plain boolean. */
function draftDeletedFlag({ deleted, subject }: ColumnContext): readonly Draft[] {
  const isWanted = deleted && !deleted.replacesColumn && subject.settings.options.deletedRows === 'flag'
  return isWanted ? [flagDraft(deleted, subject)] : []
}

function flagDraft(deleted: DeletedRows, { settings, table }: Subject): Draft {
  return {
    column: undefined,
    ordinal: table.columns.length + 1,
    config: {},
    isMetadata: false,
    isKey: false,
    isReference: false,
    change: 'deleted',
    rule: 'deletedRows',
    conversion: undefined,
    expression: deleted.isDeleted,
    family: 'boolean',
    dataType: settings.dialect.types.cast.boolean ?? 'boolean',
    names: fixedNames('is_deleted', 'is_deleted', 'deletedRows'),
    warnings: [],
  }
}

interface LeaveOutInput {
  readonly config: ColumnConfig
  readonly isLoaders: boolean
  readonly subject: Subject
}

function ruleToLeaveOut(
  column: Column,
  { config, isLoaders, subject }: LeaveOutInput,
): LeftOutColumn['rule'] | undefined {
  if (config.exclude) return 'exclude'
  const { metadataColumns } = subject.settings.options
  const stays = metadataColumns === 'keep' || (metadataColumns === 'loaded' && isLoadTime(column, subject))
  return isLoaders && !stays ? 'metadataColumns' : undefined
}

/** Joins two lists, which are empty for most columns. */
function joined(some: readonly Warning[], others: readonly Warning[]): readonly Warning[] {
  if (others.length === 0) return some
  return some.length === 0 ? others : [...some, ...others]
}

/** Returns the name of a column that no naming rule applies to; undefined for all others. */
function fixedNamesOf(column: NamedColumn, config: ColumnConfig, subject: Subject): ColumnNames | undefined {
  if (config.name !== undefined) return fixedNames(config.name, column.name, 'configured')
  const edited = columnEditOf(subject, column.ordinal)?.name ?? undefined
  if (edited !== undefined) return fixedNames(inCase(edited, subject.settings.naming), column.name, 'backend')
  if (subject.settings.options.metadataColumns === 'loaded' && isLoadTime(column, subject))
    return fixedNames('_loaded_at', column.name, 'loadTime')
  return undefined
}

function namingOf({ entity, settings, sharedWord, splitsNames }: Subject): ColumnNaming {
  const { dialect, naming: rules, vocabulary } = settings
  return {
    entity: expandEntity(entity.singular, rules),
    dialect,
    rules,
    vocabulary,
    splits: splitsNames,
    shared: sharedWord,
  }
}

function fixedNames(name: string, stored: string, rule: NameRule): ColumnNames {
  return {
    candidates: [{ name, rules: [rule] }],
    wasReplaced: false,
    wasShortened: false,
    plain: toSnakeCase(stored),
  }
}

/** Returns true for the load-time column: the first one of the pack that the table has. */
function isLoadTime({ name }: Pick<Column, 'name'>, { columns, loader }: Subject): boolean {
  const present = new Set(columns.map((column) => column.name.toLowerCase()))
  const first = loader?.loaded.find((candidate) => present.has(candidate.column))
  return first?.column === name.toLowerCase()
}

function isForeignKey({ name }: Column, { table }: Subject): boolean {
  return table.foreignKeys?.some((key) => key.columns.includes(name)) ?? false
}

/** Returns true if foreign keys may point to a column: it must be converted like them. */
function isUnique({ name }: Column, { table }: Subject): boolean {
  return table.uniqueKeys?.some((key) => key.length === 1 && key[0] === name) ?? false
}

interface ColumnDecision {
  readonly columns: readonly StagedColumn[]
  readonly leftOut: readonly LeftOutColumn[]
  readonly warnings: readonly Warning[]
}

/** Plans every column of the source, in the order of the model. A column that is left out gets a warning. */
export function planColumns(context: ColumnContext): ColumnDecision {
  const { key, subject } = context
  const drafting = { ...context, naming: namingOf(subject) }
  const all = subject.columns.map((column, index) => draftColumn(column, index + 1, drafting))
  const drafts = [...all.filter((draft) => 'names' in draft), ...draftDeletedFlag(context)]
  const { names, warnings } = giveNames(drafts, subject)
  const columns = drafts.map((draft, index) => finish(draft, names[index] ?? NAMELESS, subject))
  return {
    columns: subject.settings.options.columnOrder === 'groups' ? inGroups(columns, key) : columns,
    leftOut: all.filter((draft) => 'leftOut' in draft).map(({ leftOut }) => leftOut),
    warnings: [...all.flatMap((draft) => draft.warnings), ...warnings],
  }
}

function finish(draft: Draft, { name, rules }: RuledName, { settings }: Subject): StagedColumn {
  const { change, column, config, conversion, dataType, expression, family } = draft
  const { isMetadata, isReference, ordinal } = draft
  const { dialect } = settings
  // plain names are in lower case everywhere, so that folding to upper case needs no quotes
  const isPlain = dialect.identifiers.folds === 'upper' && name === name.toLowerCase()
  const quoted = needsQuotes(isPlain ? name.toUpperCase() : name, dialect)
  const { group, rule: groupRule } = groupOf(
    { family, isMetadata, name: wordsOf(name, settings.naming) },
    isReference,
  )
  return {
    column,
    ordinal,
    config,
    isMetadata,
    change,
    conversion,
    expression,
    family,
    dataType,
    name,
    alias: quoted ? printIdentifier(name, dialect) : name,
    quoted,
    group,
    reasons: { name: rules, value: draft.rule, group: groupRule },
  }
}

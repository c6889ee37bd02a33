import type { Column, ColumnConfig, Warning } from '@stagecraft/spec'
import { lookUp } from '../config/settings.ts'
import type { Family } from '../dialects/dialect.ts'
import { isLoaderColumn } from '../loaders/detect.ts'
import { type ColumnNames, nameColumn } from '../naming/column-name.ts'
import { claimNames } from '../naming/unique-names.ts'
import { needsQuotes, printIdentifier } from '../sql/identifiers.ts'
import { convertColumn } from './convert-column.ts'
import type { DeletedRows } from './deleted-rows.ts'
import type { Key } from './key.ts'
import { COLUMN_GROUPS, type ColumnGroup, type SqlLines } from './plan.ts'
import type { Subject } from './subject.ts'

/** A column with expression and name, before tests and descriptions. */
export interface StagedColumn {
  /** Undefined when the model computes the column. */
  readonly column: Column | undefined
  readonly ordinal: number
  readonly config: ColumnConfig
  readonly isMetadata: boolean
  readonly change: 'none' | 'utc' | 'boolean' | 'deleted' | 'other'
  readonly expression: SqlLines
  readonly family: Family
  readonly dataType: string
  readonly name: string
  readonly alias: string
  readonly quoted: boolean
  readonly group: ColumnGroup
}

export interface ColumnDecision {
  readonly columns: readonly StagedColumn[]
  readonly warnings: readonly Warning[]
}

/** What is decided of a column before all of them compete for names. */
interface Draft extends Omit<StagedColumn, 'name' | 'alias' | 'quoted' | 'group'> {
  readonly isKey: boolean
  readonly names: ColumnNames
  readonly warnings: readonly Warning[]
}

export interface ColumnContext {
  readonly subject: Subject
  readonly key: Key | undefined
  readonly deleted: DeletedRows | undefined
}

/** Every column of the source, staged or named in a warning, in the order of the model. */
export function planColumns(context: ColumnContext): ColumnDecision {
  const { settings } = context.subject
  const drafts = context.subject.columns.map((column, index) => draftColumn(column, index + 1, context))
  const kept = [...drafts.filter((draft) => 'names' in draft), ...draftDeletedFlag(context)]
  const limit = settings.dialect.identifiers.maxBytes
  const claims = kept.map((draft) => ({ candidates: draft.names.candidates, rank: rankOf(draft) }))
  const claimed = claimNames(claims, limit)
  const columns = kept.map((draft, index) => finish(draft, claimed[index]?.name ?? '', context))
  const collisions = kept.flatMap((draft, index) =>
    claimed[index]?.numbered ? [collision(draft, claimed[index].name)] : [],
  )
  return {
    columns: settings.options.columnOrder === 'groups' ? inGroups(columns, context) : columns,
    warnings: [...drafts.flatMap((draft) => draft.warnings), ...collisions],
  }
}

interface LeftOut {
  readonly warnings: readonly Warning[]
}

function draftColumn(column: Column, ordinal: number, context: ColumnContext): Draft | LeftOut {
  const { deleted, key, subject } = context
  const { naming, options, table } = subject.settings
  const config = lookUp(table.columns, column.name) ?? {}
  const isLoaders = isLoaderColumn(column.name, subject.loader)
  const isOwnKey = key?.columns.includes(column.name) ?? false
  if (config.exclude) return { warnings: [leftOut(column, 'stagecraft.yml excludes it')] }
  const isLoaded = isLoaders && isLoadTime(column, subject)
  if (isLoaders && !isOwnKey && !keepsMetadata(isLoaded, options.metadataColumns)) {
    return { warnings: [leftOut(column, `metadataColumns is "${options.metadataColumns}"`)] }
  }
  const isFlag = options.deletedRows === 'flag' && deleted?.column === column && deleted.replacesColumn
  if (isFlag) return flagDraft(deleted, column, ordinal, config)
  const converted = convertColumn(column, {
    config,
    isKey: isOwnKey || isForeignKey(column, subject),
    subject,
  })
  const isMetadata = isLoaders && config.name === undefined
  const names =
    config.name !== undefined || (isLoaded && options.metadataColumns === 'loaded')
      ? fixedNames(config.name ?? '_loaded_at')
      : nameColumn(
          { name: column.name, ordinal, family: converted.family, isMetadata },
          {
            entity: subject.entity.singular,
            dialect: subject.settings.dialect,
            rules: naming,
            vocabulary: subject.settings.vocabulary,
          },
        )
  return {
    ...converted,
    column,
    ordinal,
    config,
    isMetadata,
    isKey: isOwnKey,
    names,
    warnings: [...converted.warnings, ...nameWarnings(column, names)],
  }
}

function keepsMetadata(isLoaded: boolean, choice: 'keep' | 'loaded' | 'drop'): boolean {
  return choice === 'keep' || (choice === 'loaded' && isLoaded)
}

/** The load-time column that freshness is measured by: the first one of the pack that is there. */
function isLoadTime(column: Column, { columns, loader }: Subject): boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()))
  const first = loader?.loaded.find((candidate) => names.has(candidate.column))
  return first?.column === column.name.toLowerCase()
}

function isForeignKey({ name }: Column, { table }: Subject): boolean {
  return table.foreignKeys?.some((key) => key.columns.includes(name)) ?? false
}

function fixedNames(name: string): ColumnNames {
  return { candidates: [name], wasReplaced: false, wasShortened: false }
}

/** `is_deleted`, in the place of the loader's flag. */
function flagDraft(
  deleted: DeletedRows,
  column: Column | undefined,
  ordinal: number,
  config: ColumnConfig,
): Draft {
  return {
    column,
    ordinal,
    config,
    isMetadata: false,
    isKey: false,
    change: 'deleted',
    expression: deleted.isDeleted,
    family: 'boolean',
    dataType: 'boolean',
    names: fixedNames(config.name ?? 'is_deleted'),
    warnings: [],
  }
}

/** `is_deleted` beside a column that says more than yes or no. */
function draftDeletedFlag({ deleted, subject }: ColumnContext): readonly Draft[] {
  const { dialect, options } = subject.settings
  if (!deleted || deleted.replacesColumn || options.deletedRows !== 'flag') return []
  const draft = flagDraft(deleted, undefined, subject.columns.length + 1, {})
  return [{ ...draft, dataType: dialect.types.cast.boolean ?? 'boolean' }]
}

/** Who chooses a name first: the user, then columns that already bear it, then keys, then the order. */
function rankOf({ column, config, isKey, names }: Draft): number {
  if (config.name !== undefined) return 0
  if (column?.name.toLowerCase() === names.candidates[0]?.toLowerCase()) return 1
  return isKey ? 2 : 3
}

function finish(draft: Draft, name: string, { subject }: ColumnContext): StagedColumn {
  const { isKey, names: _, warnings: __, ...column } = draft
  const { dialect } = subject.settings
  const isReference = isKey || (draft.column !== undefined && isForeignKey(draft.column, subject))
  return {
    ...column,
    name,
    alias: printAlias(name, subject),
    quoted: needsQuotes(quotable(name, subject), dialect),
    group: groupOf(column, name, isReference),
  }
}

/** Plain names are written in lower case everywhere, so that folding upper does not ask for quotes. */
function quotable(name: string, { settings }: Subject): string {
  const { folds } = settings.dialect.identifiers
  return folds === 'upper' && name === name.toLowerCase() ? name.toUpperCase() : name
}

function printAlias(name: string, subject: Subject): string {
  const { dialect } = subject.settings
  const stored = quotable(name, subject)
  return needsQuotes(stored, dialect) ? printIdentifier(name, dialect) : name
}

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

function groupOf(
  { family, isMetadata }: Pick<Draft, 'family' | 'isMetadata'>,
  name: string,
  isReference: boolean,
): ColumnGroup {
  if (isMetadata) return 'metadata'
  const mayBeId = family === 'integer' || family === 'string' || family === 'decimal'
  if (isReference || (mayBeId && /(?:^|_)(?:id|uuid|guid)$/.test(name))) return 'ids'
  return FAMILY_GROUPS[family]
}

/** By group, the table's own key first, then as in the source. */
function inGroups(columns: readonly StagedColumn[], { key }: ColumnContext): readonly StagedColumn[] {
  const rank = ({ column, group }: StagedColumn): number =>
    COLUMN_GROUPS.indexOf(group) * 2 + (column && key?.columns.includes(column.name) ? 0 : 1)
  return columns.toSorted((a, b) => rank(a) - rank(b) || a.ordinal - b.ordinal)
}

function leftOut({ name }: Column, reason: string): Warning {
  return { code: 'COLUMN_LEFT_OUT', message: `${name} is not in the model: ${reason}`, column: name }
}

function nameWarnings(
  { name }: Column,
  { candidates, wasReplaced, wasShortened }: ColumnNames,
): readonly Warning[] {
  const became = `${JSON.stringify(name)} is staged as ${candidates[0] ?? ''}`
  return [
    ...(wasReplaced
      ? [
          {
            code: 'NAME_REPLACED' as const,
            message: `${became}: it has no letter or digit that a plain name can keep`,
            column: name,
          },
        ]
      : []),
    ...(wasShortened
      ? [
          {
            code: 'NAME_SHORTENED' as const,
            message: `${became}: the warehouse allows no longer name`,
            column: name,
          },
        ]
      : []),
  ]
}

function collision({ column, names }: Draft, name: string): Warning {
  const message = `${column?.name ?? 'a computed column'} is staged as ${name}, because another column is staged as ${names.candidates[0] ?? ''}`
  return { code: 'NAME_COLLISION', message, ...(column && { column: column.name }) }
}

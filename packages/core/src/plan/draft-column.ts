import type { Column, ColumnConfig, Warning } from '@stagecraft/spec'
import { lookUp } from '../config/settings.ts'
import { isLoaderColumn } from '../loaders/detect.ts'
import { type ColumnNames, nameColumn, type NamedColumn } from '../naming/column-name.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { leftOut, nameWarnings } from './column-warnings.ts'
import { convertColumn } from './convert-column.ts'
import type { DeletedRows } from './deleted-rows.ts'
import type { Key } from './key.ts'
import type { StagedColumn } from './staged-column.ts'
import { columnEditOf, type Subject } from './subject.ts'

/** The decisions about a column before all of them compete for names. */
export interface Draft extends Omit<StagedColumn, 'name' | 'alias' | 'quoted' | 'group'> {
  /** Part of the table's own key. */
  readonly isKey: boolean
  /** Part of a key, here or in another table. */
  readonly isReference: boolean
  readonly names: ColumnNames
  readonly warnings: readonly Warning[]
}

/** A column that the model does not have, and why. */
export interface LeftOut {
  readonly warnings: readonly Warning[]
}

export interface ColumnContext {
  readonly subject: Subject
  readonly key: Key | undefined
  readonly deleted: DeletedRows | undefined
}

const NOT_CONFIGURED: ColumnConfig = {}

/** Decides whether a column is staged, as what, and which names it may take. */
export function draftColumn(column: Column, ordinal: number, context: ColumnContext): Draft | LeftOut {
  const { deleted, key, subject } = context
  const { options, table } = subject.settings
  const config = lookUp(table.columns, column.name) ?? NOT_CONFIGURED
  const isKey = key?.columns.includes(column.name) ?? false
  const isLoaders = isLoaderColumn(column.name, subject.loader)
  const reason = reasonToLeaveOut(column, { config, isLoaders: isLoaders && !isKey, subject })
  if (reason !== undefined) return { warnings: [leftOut(column, reason)] }
  const isFlag = options.deletedRows === 'flag' && deleted?.column === column && deleted.replacesColumn
  if (isFlag) return { ...flagDraft(deleted, subject), column, ordinal, config }
  const isReference = isKey || isForeignKey(column, subject)
  const converted = convertColumn(column, {
    config,
    edit: columnEditOf(subject, ordinal),
    isKey: isReference || isUnique(column, subject),
    subject,
  })
  const isMetadata = isLoaders && config.name === undefined
  const names = namesOf({ name: column.name, ordinal, family: converted.family, isMetadata }, config, subject)
  const warnings = [...converted.warnings, ...nameWarnings(column, names)]
  return { ...converted, column, ordinal, config, isMetadata, isKey, isReference, names, warnings }
}

/** `is_deleted` beside a column that says more than yes or no. */
export function draftDeletedFlag({ deleted, subject }: ColumnContext): readonly Draft[] {
  const isWanted = deleted && !deleted.replacesColumn && subject.settings.options.deletedRows === 'flag'
  return isWanted ? [flagDraft(deleted, subject)] : []
}

function flagDraft(deleted: DeletedRows, { columns, settings }: Subject): Draft {
  return {
    column: undefined,
    ordinal: columns.length + 1,
    config: {},
    isMetadata: false,
    isKey: false,
    isReference: false,
    change: 'deleted',
    expression: deleted.isDeleted,
    family: 'boolean',
    dataType: settings.dialect.types.cast.boolean ?? 'boolean',
    names: fixedNames('is_deleted', 'is_deleted'),
    warnings: [],
  }
}

interface LeaveOutInput {
  readonly config: ColumnConfig
  readonly isLoaders: boolean
  readonly subject: Subject
}

function reasonToLeaveOut(column: Column, { config, isLoaders, subject }: LeaveOutInput): string | undefined {
  if (config.exclude) return 'stagecraft.yml excludes it'
  const { metadataColumns } = subject.settings.options
  const stays = metadataColumns === 'keep' || (metadataColumns === 'loaded' && isLoadTime(column, subject))
  return isLoaders && !stays ? `metadataColumns is "${metadataColumns}"` : undefined
}

function namesOf(
  column: NamedColumn & { readonly ordinal: number },
  config: ColumnConfig,
  subject: Subject,
): ColumnNames {
  const { dialect, naming, options, vocabulary } = subject.settings
  const name = config.name ?? columnEditOf(subject, column.ordinal)?.name ?? undefined
  if (name !== undefined) return fixedNames(name, column.name)
  if (options.metadataColumns === 'loaded' && isLoadTime(column, subject))
    return fixedNames('_loaded_at', column.name)
  const { entity, splitsNames: splits } = subject
  return nameColumn(column, { entity: entity.singular, dialect, rules: naming, vocabulary, splits })
}

function fixedNames(name: string, stored: string): ColumnNames {
  return { candidates: [name], wasReplaced: false, wasShortened: false, plain: toSnakeCase(stored) }
}

/** The load-time column that freshness is measured by: the first one of the pack that is there. */
function isLoadTime({ name }: Pick<Column, 'name'>, { columns, loader }: Subject): boolean {
  const present = new Set(columns.map((column) => column.name.toLowerCase()))
  const first = loader?.loaded.find((candidate) => present.has(candidate.column))
  return first?.column === name.toLowerCase()
}

function isForeignKey({ name }: Column, { table }: Subject): boolean {
  return table.foreignKeys?.some((key) => key.columns.includes(name)) ?? false
}

/** Foreign keys may point to it, so that it has to be converted as they are. */
function isUnique({ name }: Column, { table }: Subject): boolean {
  return table.uniqueKeys?.some((key) => key.length === 1 && key[0] === name) ?? false
}

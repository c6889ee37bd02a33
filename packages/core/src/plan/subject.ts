import type { Family } from '@stagecraft/dialects'
import {
  type Column,
  type ColumnValue,
  type ForeignKey,
  type GenerationOptions,
  type ModelType,
  type SourceName,
  StagecraftError,
  type Table,
  type Warning,
  escapeInvisible,
  hasInvisible,
} from '@stagecraft/spec'
import { type RunSettings, type TableSettings, settingsFor, unusedColumns } from '../config/settings.ts'
import { SettingsOf } from '../explain/settings-of.ts'
import { findLoader } from '../loaders/detect.ts'
import type { LoaderPack } from '../loaders/loader.ts'
import { bareTableName, type Entity, inNumber, nameEntity, sharedPrefix } from '../naming/entity.ts'
import { dropColumnPrefix, fillPattern, type HouseWords, isEmpty, sharedWord } from '../naming/house-names.ts'
import { customName, runsTogether, toSnakeCase } from '../naming/tokens.ts'
import { hash, shorten } from '../naming/unique-names.ts'
import { type StoredName, storedName } from '../source-name.ts'
import { byteLength } from '../sql/identifiers.ts'
import { type ReadColumn, readColumns } from './read-columns.ts'
import type { CheckedColumnEdit, CheckedEdit } from './checked-edit.ts'

/** The staged form of a table that foreign keys point to. */
export interface Parent {
  readonly model: string
  /** The staged name of a stored column as SQL writes it; undefined when the model does not have it. */
  columnName(stored: string): string | undefined
  /** The stored column that identifies a row; undefined if there are several, or none is known. */
  readonly key: string | undefined
  /** The stored spelling of a column, whatever the case. */
  spell(column: string): string | undefined
  /** The family of a stored column as staged; undefined if unknown. */
  familyOf(stored: string): Family | undefined
  /** True if the model has fewer rows than its source, so children may miss their parent. */
  readonly dropsRows: boolean
}

/** Finds the model that a table is staged as, in this run or in the user's project. */
export type FindParent = (table: StoredName) => Parent | undefined

/** Returns the table that a foreign key points to; missing parts of its name are those of its own table. */
export function referencedTable({ references }: ForeignKey, own: StoredName): StoredName {
  return {
    database: references.table.database ?? own.database,
    schema: references.table.schema ?? own.schema,
    table: references.table.name,
  }
}

/** The rules that named a table in dbt. */
export interface SubjectReasons {
  /** The configuration, the schema, or also the database, because another source has the name. */
  readonly source: 'configured' | 'schema' | 'database'
  readonly table: 'configured' | 'stored' | 'numbered'
  /** In the order in which they were applied. */
  readonly model: readonly ('configured' | 'pattern' | 'shortened' | 'numbered')[]
}

/** A table to generate for, with all facts before planning. */
export interface Subject {
  readonly item: RunItem
  readonly type: ModelType
  readonly name: StoredName
  readonly table: Table
  /** With the fields of flattened structs in place of their columns. */
  readonly columns: readonly ReadColumn[]
  readonly settings: TableSettings
  readonly loader: LoaderPack | undefined
  readonly entity: Entity
  /** True if run-together names of its columns are split. */
  readonly splitsNames: boolean
  /** The first word of all its columns, if a configured rule removes it. */
  readonly sharedWord: string | undefined
  /** The dbt source: `stripe`. */
  readonly dbtSource: string
  /** The table in the dbt source: `payments`. */
  readonly tableName: string
  /** The model: `stg_stripe__payments`. */
  readonly modelName: string
  readonly reasons: SubjectReasons
  /** Warnings about changes to its names. */
  readonly warnings: readonly Warning[]
}

/** One table to generate for, as requested. */
export interface RunItem {
  readonly type: ModelType
  readonly source: SourceName
  readonly table: Table
  readonly options: GenerationOptions
  /** The proposal of a backend, after the checks. */
  readonly edit?: CheckedEdit | undefined
  /** Warnings to report besides the plan's own. */
  readonly notes?: readonly Warning[] | undefined
  /**
   * The previous staged names of columns, by stored name. A column keeps its name if another one wants it, as long as
   * the rules could give it that name. Default: none.
   */
  readonly names?: ReadonlyMap<string, string> | undefined
}

/** @throws {StagecraftError} INVALID_REQUEST when the options name an unknown loader. */
export function createSubject(item: RunItem, run: RunSettings): Subject {
  const { options, source, table, type } = item
  const name = inSchema(storedName(source, table, run.dialect), run)
  const settings = settingsFor(run, name, options)
  const dbtSource = dbtSourceOf(name, settings)
  const entity = describeEntity(name, settings)
  const names = table.columns.map((column) => column.name)
  const shared = sharedWordOf(names, settings)
  const read = readColumns(table, settings, { flattens: type !== 'snapshot' })
  const { modelName, modelRules } = nameModel({ type, dbtSource, entity, table: name.table }, settings)
  return {
    item,
    type,
    name,
    table,
    columns: read.columns,
    settings,
    loader: findLoader(names, settings.options.loader),
    entity,
    splitsNames: splitsNames(names, settings, { entity: entity.singular, shared }),
    sharedWord: shared,
    dbtSource,
    tableName: settings.table.name ?? plainName(name.table),
    modelName,
    reasons: {
      source: settings.source.name === undefined ? 'schema' : 'configured',
      table: settings.table.name === undefined ? 'stored' : 'configured',
      model: modelRules,
    },
    warnings: [
      ...(item.notes ?? []),
      ...read.warnings,
      ...unusedColumns(
        settings.table,
        read.columns === table.columns ? table : { ...table, columns: [...table.columns, ...read.columns] },
        (...members) => new SettingsOf({ item, name, settings }).table(...members),
      ),
      ...invisibleWarnings(table, { isDocumented: settings.options.addDocs ?? false }),
    ],
  }
}

/** Returns the first word of all columns, if a configured rule removes it. */
export function sharedWordOf(names: readonly string[], { naming }: TableSettings): string | undefined {
  return naming.columnPrefixes.some((prefix) => prefix.includes('{shared}')) ? sharedWord(names) : undefined
}

/** Returns true if run-together names of a table are split. A removed prefix does not count: `c_custkey` is `custkey`. */
export function splitsNames(
  names: readonly string[],
  { naming, vocabulary }: TableSettings,
  words: HouseWords,
): boolean {
  if (naming.splitting !== 'auto') return naming.splitting === 'always'
  const bare = (name: string): string => {
    const plain = toSnakeCase(name)
    const rest = dropColumnPrefix(plain, naming, words)
    return rest === plain ? name : rest
  }
  return runsTogether(isEmpty(naming.columnPrefixes) ? names : names.map(bare), vocabulary)
}

/**
 * Derives the entities of tables that are planned together, ignoring the shared prefix of each source.
 */
export function shareEntities(subjects: readonly Subject[]): readonly Subject[] {
  const shared = new Map(
    [...Map.groupBy(subjects, placeOf)].map(
      ([place, group]) => [place, sharedPrefix(group.map(({ name }) => name.table))] as const,
    ),
  )
  return subjects.map((subject) => {
    const prefix = shared.get(placeOf(subject)) ?? ''
    if (prefix === '' || subject.settings.table.entity !== undefined) return subject
    const { singular } = describeEntity(subject.name, subject.settings, prefix)
    return { ...subject, entity: { ...subject.entity, singular } }
  })
}

function placeOf({ name: { database, schema } }: Subject): string {
  return JSON.stringify([database ?? '', schema ?? ''])
}

/** @throws {StagecraftError} INVALID_REQUEST if no schema is given. */
function inSchema(name: StoredName, { config, dialect }: RunSettings): StoredName {
  const schema = name.schema ?? config.defaultSchema
  if (schema !== undefined) return { ...name, schema }
  const expected = `${[...dialect.identifiers.namespaces.slice(-1), 'table'].join('.')}, a defaultSchema in the configuration, or --schema raw on the command line`
  throw new StagecraftError(
    'INVALID_REQUEST',
    `source: expected ${expected}, got "${name.table}" without a schema`,
    {
      details: { faults: [{ path: 'source', expected, received: `"${name.table}"` }] },
    },
  )
}

/** Returns the proposal of a backend for a column, or undefined. */
export function columnEditOf({ item }: Subject, ordinal: number): CheckedColumnEdit | undefined {
  return item.edit?.columns.get(ordinal)
}

/** Returns the same table in a source with another name. */
export function inSource(subject: Subject, dbtSource: string): Subject {
  if (subject.dbtSource === dbtSource) return subject
  const { modelName, modelRules } = nameModel(
    { ...subject, dbtSource, table: subject.name.table },
    subject.settings,
  )
  const reasons: SubjectReasons = { ...subject.reasons, source: 'database', model: modelRules }
  return { ...subject, dbtSource, modelName, reasons }
}

/** Returns the name of the model of a table, without knowing its columns. */
export function modelNameOf(name: StoredName, type: ModelType, run: RunSettings): string {
  const settings = settingsFor(run, name, {})
  const [dbtSource, entity] = [dbtSourceOf(name, settings), describeEntity(name, settings)]
  return nameModel({ type, dbtSource, entity, table: name.table }, settings).modelName
}

function dbtSourceOf({ database, schema }: StoredName, { source }: TableSettings): string {
  return source.name ?? plainName(schema ?? database ?? 'source')
}

/**
 * Returns the entity of a table.
 *
 * @param shared The prefix that the names of all tables of its source share.
 */
export function describeEntity(name: StoredName, settings: TableSettings, shared = ''): Entity {
  const { naming, table: config, vocabulary } = settings
  if (config.entity !== undefined) {
    const number = naming.entity === 'singular' ? 'singular' : 'plural'
    return { singular: config.entity, model: inNumber(config.entity, number) }
  }
  const source = dbtSourceOf(name, settings)
  const { entity: number, entityFrom: from, tablePrefixes: prefixes } = naming
  // the dbt name of a table was chosen, so it counts more than the stored one
  const known = isOnlyNumbered(name, settings) ? undefined : config.name
  const splits = naming.splitting !== 'never'
  const options = { source, number, prefixes, shared, from, splits, vocabulary }
  const table = known ?? name.table
  const entity = nameEntity(table, options)
  // `territory_id` of the custom object `territory__c`; a model keeps the ending, as `territory` may be a table too
  const own = naming.customFields === 'drop' ? customName(toSnakeCase(table))?.own : undefined
  return own === undefined ? entity : { ...entity, singular: nameEntity(own, options).singular }
}

/** Returns true if the dbt name of a table is its stored name with a distinguishing number. */
export function isOnlyNumbered(
  { table }: Pick<StoredName, 'table'>,
  { table: config }: Pick<TableSettings, 'table'>,
): boolean {
  const [, plain] = /^(.+)_(?:[2-9]|[1-9]\d)$/.exec(config.name ?? '') ?? []
  return plain === plainName(table)
}

interface NamedModel {
  readonly modelName: string
  readonly modelRules: SubjectReasons['model']
}

interface ModelToName {
  readonly type: ModelType
  readonly dbtSource: string
  readonly entity: Entity
  /** As stored. */
  readonly table: string
}

function nameModel({ dbtSource, entity, table, type }: ModelToName, settings: TableSettings): NamedModel {
  const { model } = settings.table
  if (model !== undefined) return { modelName: model, modelRules: ['configured'] }
  const { tablePrefixes, types } = settings.naming
  const name = fillPattern(types[type].model, {
    source: dbtSource,
    entity: entity.model,
    table: bareTableName(table, tablePrefixes),
  })
  const { maxBytes } = settings.dialect.identifiers
  if (byteLength(name) <= maxBytes) return { modelName: name, modelRules: ['pattern'] }
  return { modelName: shorten(name, maxBytes), modelRules: ['pattern', 'shortened'] }
}

/** Returns a name that dbt accepts without quotes: letters, digits and underscores. */
export function plainName(stored: string): string {
  const name = toSnakeCase(stored).replace(/^(?=\d)/, '_')
  return name === '' ? `name_${hash(stored)}` : name
}

/** The input of a plan function. */
export interface PlanContext {
  readonly subject: Subject
  readonly findParent: FindParent
}

const LONGEST = 80

const NO_VALUES: readonly ColumnValue[] = []
const NO_WARNINGS: readonly Warning[] = []

/**
 * Warns about names, comments and values with invisible characters. SQL needs the stored name, so only a warning can
 * show them.
 *
 * @param isDocumented True if comments become descriptions.
 */
function invisibleWarnings(
  { columns, comment, name, schema }: Table,
  { isDocumented }: { readonly isDocumented: boolean },
): readonly Warning[] {
  return [
    ...[schema, name].flatMap((text) => warn('the name of the table', text ?? '', AS_STORED)),
    ...(isDocumented ? warn('the comment of the table', comment ?? '', AS_ESCAPES) : []),
    ...columns.flatMap((column) => columnWarnings(column, isDocumented)),
  ]
}

const AS_STORED = 'SQL keeps them, because they are part of the name'
const AS_ESCAPES = 'YAML shows them as escapes'

function columnWarnings(
  { comment = '', name, values = NO_VALUES }: Column,
  isDocumented: boolean,
): readonly Warning[] {
  const isVisible =
    !hasInvisible(name) && !hasInvisible(comment) && !values.some((value) => hasInvisible(String(value)))
  if (isVisible) return NO_WARNINGS
  const subject = escapeInvisible(JSON.stringify(name))
  const found = [
    ...warn('the name of a column', name, AS_STORED),
    ...(isDocumented ? warn(`the comment of ${subject}`, comment, AS_ESCAPES) : []),
    ...values.flatMap((value) => warn(`a value of ${subject}`, String(value), AS_ESCAPES)),
  ]
  return found.map((warning) => ({ ...warning, column: name }))
}

function warn(what: string, text: string, outcome: string): readonly Warning[] {
  if (!hasInvisible(text)) return []
  const shown = escapeInvisible(text)
  const cut = shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown
  const message = `${what} has invisible characters: ${cut}; ${outcome}`
  return [{ code: 'INVISIBLE_CHARACTERS', message }]
}

/** Returns true if the project has the package with tests of combinations and ranges. */
export function hasDbtUtils({ settings: { config, project } }: Subject): boolean {
  const packages = config.packages ?? project?.packages ?? []
  return packages.some((name) => name === 'dbt_utils' || name.endsWith('/dbt_utils'))
}

import {
  type Column,
  type GenerationOptions,
  type ModelKind,
  type SourceName,
  StagecraftError,
  type Table,
  type Warning,
} from '@stagecraft/spec'
import { type RunSettings, settingsFor, type TableSettings } from '../config/settings.ts'
import { unusedColumns } from '../config/unused-config.ts'
import { findLoader } from '../loaders/detect.ts'
import type { LoaderPack } from '../loaders/loader.ts'
import { type Entity, inNumber, nameEntity, sharedPrefix } from '../naming/entity.ts'
import { fillPattern } from '../naming/fill-pattern.ts'
import { runsTogether } from '../naming/run-together.ts'
import { hash, shorten } from '../naming/shorten.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { type StoredName, storedName } from '../source-name/stored-name.ts'
import { byteLength } from '../sql/identifiers.ts'
import type { CheckedColumnEdit, CheckedEdit } from './checked-edit.ts'
import { invisibleWarnings } from './invisible-warnings.ts'

/** A table to generate for, with all that is known of it before its plan is made. */
export interface Subject {
  readonly item: RunItem
  readonly kind: ModelKind
  readonly name: StoredName
  readonly table: Table
  readonly columns: readonly Column[]
  readonly settings: TableSettings
  readonly loader: LoaderPack | undefined
  readonly entity: Entity
  /** Run-together names of its columns are split. */
  readonly splitsNames: boolean
  /** The dbt source: `stripe`. */
  readonly dbtSource: string
  /** The table in the dbt source: `payments`. */
  readonly tableName: string
  /** The model: `stg_stripe__payments`. */
  readonly modelName: string
  /** Warnings about changes to its names. */
  readonly warnings: readonly Warning[]
}

/** One table to generate for, as asked. */
export interface RunItem {
  readonly kind: ModelKind
  readonly source: SourceName
  readonly table: Table
  readonly options: GenerationOptions
  /** The proposal of a backend, after the checks. */
  readonly edit?: CheckedEdit | undefined
  /** Warnings to report besides the plan's own. */
  readonly notes?: readonly Warning[] | undefined
}

/** @throws {StagecraftError} INVALID_REQUEST when the options name an unknown loader. */
export function createSubject(item: RunItem, run: RunSettings): Subject {
  const { kind, options, source, table } = item
  const name = inSchema(storedName(source, table, run.dialect), run)
  const settings = settingsFor(run, name, options)
  const dbtSource = dbtSourceOf(name, settings)
  const entity = describeEntity(name, settings)
  const names = table.columns.map((column) => column.name)
  return {
    item,
    kind,
    name,
    table,
    columns: table.columns,
    settings,
    loader: findLoader(names, settings.options.loader),
    entity,
    splitsNames: splitsNames(names, settings),
    dbtSource,
    tableName: settings.table.name ?? plainName(name.table),
    modelName: modelName(kind, dbtSource, entity, settings),
    warnings: [
      ...(item.notes ?? []),
      ...unusedColumns(settings.table.columns, table),
      ...invisibleWarnings(table, { isDocumented: settings.options.addDocs ?? false }),
    ],
  }
}

function splitsNames(names: readonly string[], { naming, vocabulary }: TableSettings): boolean {
  return naming.splitting === 'auto' ? runsTogether(names, vocabulary) : naming.splitting === 'always'
}

/**
 * Names the entities of tables that are planned together: what the names of a source's tables share says
 * nothing of any of them.
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

/** @throws {StagecraftError} INVALID_REQUEST when nothing tells the schema. */
function inSchema(name: StoredName, { config, dialect }: RunSettings): StoredName {
  const schema = name.schema ?? config.defaultSchema
  if (schema !== undefined) return { ...name, schema }
  const expected = `${[...dialect.identifiers.namespaces.slice(-1), 'table'].join('.')}, or a defaultSchema in the configuration`
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

/** The same table in a source of another name. */
export function inSource(subject: Subject, dbtSource: string): Subject {
  if (subject.dbtSource === dbtSource) return subject
  return {
    ...subject,
    dbtSource,
    modelName: modelName(subject.kind, dbtSource, subject.entity, subject.settings),
  }
}

/** The model that a table is staged as, without knowing its columns. */
export function modelNameOf(name: StoredName, kind: ModelKind, run: RunSettings): string {
  const settings = settingsFor(run, name, {})
  return modelName(kind, dbtSourceOf(name, settings), describeEntity(name, settings), settings)
}

function dbtSourceOf({ database, schema }: StoredName, { source }: TableSettings): string {
  return source.name ?? plainName(schema ?? database ?? 'source')
}

/**
 * Returns the entity of a table.
 *
 * @param shared What the names of all tables of its source begin with.
 */
export function describeEntity(name: StoredName, settings: TableSettings, shared = ''): Entity {
  const { naming, table: config, vocabulary } = settings
  if (config.entity !== undefined) {
    const number = naming.entity === 'singular' ? 'singular' : 'plural'
    return { singular: config.entity, model: inNumber(config.entity, number) }
  }
  const source = dbtSourceOf(name, settings)
  const { entity: number, tablePrefixes: prefixes } = naming
  return nameEntity(name.table, { source, number, prefixes, shared, vocabulary })
}

function modelName(kind: ModelKind, source: string, entity: Entity, settings: TableSettings): string {
  if (settings.table.model !== undefined) return settings.table.model
  const name = fillPattern(settings.naming.kinds[kind].model, { source, entity: entity.model })
  const { maxBytes } = settings.dialect.identifiers
  return byteLength(name) > maxBytes ? shorten(name, maxBytes) : name
}

/** A name that dbt takes without quotes: letters, digits and underscores. */
export function plainName(stored: string): string {
  const name = toSnakeCase(stored).replace(/^(?=\d)/, '_')
  return name === '' ? `name_${hash(stored)}` : name
}

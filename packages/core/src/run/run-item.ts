import { DIALECTS, type Dialect } from '@stagecraft/dialects'
import {
  type Config,
  type DialectName,
  type GenerationOptions,
  type GenerationRequest,
  type Project,
  StagecraftError,
  type Table,
  generationRequestSchema,
  tableSchema,
} from '@stagecraft/spec'
import { validate } from '@stagecraft/spec/validate'
import { type RunSettings, createRunSettings, resolveDialect } from '../config/settings.ts'
import type { CheckedColumnEdit } from '../plan/checked-edit.ts'
import type { RunItem } from '../plan/subject.ts'
import type { Templates } from '../render/templates.ts'
import { parseSourceName } from '../source-name.ts'
import { translateTable } from '../sql/types.ts'

/**
 * Returns the columns that SQL cannot distinguish: with the same name, or the same except for case if case is
 * insignificant.
 */
function sameColumns({ columns }: Table, { identifiers }: Dialect): readonly string[] {
  const fold = (name: string): string => (identifiers.caseSensitive ? name : name.toLowerCase())
  if (new Set(columns.map(({ name }) => fold(name))).size === columns.length) return []
  const groups = Map.groupBy(
    columns.map(({ name }) => name),
    fold,
  )
  return [...groups.values()].filter((names) => names.length > 1).flat()
}

/** Returns the reason why a table with such columns cannot be staged; undefined if it can. */
export function explainSameColumns(table: Table, dialect: Dialect): string | undefined {
  const names = sameColumns(table, dialect)
  if (names.length === 0) return undefined
  const shown = names.map((name) => JSON.stringify(name)).join(', ')
  return `${dialect.name} cannot distinguish its columns ${shown}`
}

/** @throws {StagecraftError} INVALID_SOURCE that names the columns. */
function assertDistinctColumns(table: Table, source: string, dialect: Dialect): void {
  const reason = explainSameColumns(table, dialect)
  if (reason === undefined) return
  const suggestion = 'rename them in the warehouse, or list each column of the table once'
  throw new StagecraftError('INVALID_SOURCE', `source ${source}: ${reason}`, { details: { suggestion } })
}

/** The context of a generation besides the request and the table. */
export interface GenerateContext {
  /**
   * The dialect of the SQL: a name, or your own dialect. Default: `config.dialect`, else that of the catalog; one of
   * them is required.
   */
  readonly dialect?: DialectName | Dialect
  /** A read `stagecraft.yml`; see `parseConfig`. */
  readonly config?: Config
  /** The dbt project that the files go into. */
  readonly project?: Project
  /** The user's templates; see `loadTemplates`. Default: those of the preset. */
  readonly templates?: Templates
  /** The caller's defaults, which the preset and the configuration override. */
  readonly defaults?: GenerationOptions
}

/** One table of a run. */
export interface GenerateItem {
  readonly request: GenerationRequest
  readonly table: Table
}

/** One table of a run, with the proposal of a backend and the previous names of its columns. */
export interface EditedItem extends GenerateItem, Pick<RunItem, 'edit' | 'names' | 'notes'> {}

/** Returns the settings that all tables of a run share. */
export function settingsOf(context: GenerateContext): RunSettings {
  const { config = {}, defaults = {}, project } = context
  return createRunSettings({ dialect: resolveDialect(context), config, project, defaults })
}

/**
 * Checks an item.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a faulty request or table; INVALID_SOURCE for a table without columns.
 */
export function toRunItem({ edit, names, notes, request, table }: EditedItem, run: RunSettings): RunItem {
  const { options = {}, source, type } = validate(generationRequestSchema, request, 'the request')
  validate(tableSchema, table, `the table ${source}`)
  if (table.columns.length === 0) {
    const suggestion = 'check that the catalog lists its columns; in dbt artifacts, catalog.json does'
    throw new StagecraftError(
      'INVALID_SOURCE',
      `the columns of ${source} are not known, so there is nothing to select`,
      { details: { suggestion } },
    )
  }
  assertDistinctColumns(table, source, run.dialect)
  const spelled = translateTable(table, table.dialect ? DIALECTS[table.dialect] : run.dialect, run.dialect)
  return { type, source: parseSourceName(source, run.dialect), table: spelled, options, edit, names, notes }
}

interface ItemText extends Omit<EditedItem, 'edit' | 'names'> {
  readonly edit?: {
    readonly description: string | null
    readonly columns: readonly (readonly [number, CheckedColumnEdit])[]
  }
}

/**
 * Serializes the input of a generation, so that it can be printed again with others: without storage, which affects
 * no file, and without previous column names.
 */
export function printItem({ edit, notes, request, table: { storage: _, ...table } }: EditedItem): string {
  const text: ItemText = {
    request,
    table,
    ...(edit && { edit: { description: edit.description, columns: [...edit.columns] } }),
    ...(notes && { notes }),
  }
  return JSON.stringify(text)
}

/** Reads the output of `printItem` only: edits are not checked again. */
export function parseItem(text: string): EditedItem {
  const { edit, ...item } = JSON.parse(text) as ItemText
  return edit ? { ...item, edit: { ...edit, columns: new Map(edit.columns.map(withTypedExpression)) } } : item
}

/**
 * Earlier versions stored expressions without types, which cannot be planned: the rules decide until the next
 * generation.
 */
function withTypedExpression([ordinal, column]: readonly [number, CheckedColumnEdit]): readonly [
  number,
  CheckedColumnEdit,
] {
  return [ordinal, typeof column.expression === 'string' ? { ...column, expression: undefined } : column]
}

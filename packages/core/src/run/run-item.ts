import { type Dialect, DIALECTS } from '@stagecraft/dialects'
import {
  type Config,
  type DialectName,
  type GenerationOptions,
  type GenerationRequest,
  generationRequestSchema,
  type Project,
  StagecraftError,
  type Table,
  tableSchema,
} from '@stagecraft/spec'
import { validate } from '@stagecraft/spec/validate'
import { createRunSettings, type RunSettings } from '../config/settings.ts'
import { resolveDialect } from '../engine/choose-dialect.ts'
import { assertDistinctColumns } from '../plan/distinct-columns.ts'
import type { RunItem } from '../plan/subject.ts'
import type { Templates } from '../render/templates.ts'
import { parseSourceName } from '../source-name/parse.ts'
import { translateTable } from '../sql/translate-type.ts'

/** The context of a generation besides the request and the table. */
export interface GenerateContext {
  /**
   * The SQL to write: a name, or a dialect of your own. Default: `config.dialect`, else that of the catalog; one of them
   * has to be there.
   */
  readonly dialect?: DialectName | Dialect
  /** A read `stagecraft.yml`; see `parseConfig`. */
  readonly config?: Config
  /** The dbt project that the files go into. */
  readonly project?: Project
  /** The user's templates; see `loadTemplates`. Default: those of the preset. */
  readonly templates?: Templates
  /** Options below preset and configuration: what a shell turns on for everybody. */
  readonly defaults?: GenerationOptions
}

/** One table of a run. */
export interface GenerateItem {
  readonly request: GenerationRequest
  readonly table: Table
}

/** One table of a run, with what a backend proposed for it. */
export interface EditedItem extends GenerateItem, Pick<RunItem, 'edit' | 'notes'> {}

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
export function toRunItem({ edit, notes, request, table }: EditedItem, run: RunSettings): RunItem {
  const { options = {}, source, type } = validate(generationRequestSchema, request, 'the request')
  validate(tableSchema, table, `the table ${source}`)
  if (table.columns.length === 0) {
    const suggestion = 'check that the catalog has its columns; of dbt artifacts, catalog.json has them'
    throw new StagecraftError(
      'INVALID_SOURCE',
      `no columns of ${source} are known, so there is nothing to select`,
      { details: { suggestion } },
    )
  }
  assertDistinctColumns(table, source, run.dialect)
  const spelled = translateTable(table, table.dialect ? DIALECTS[table.dialect] : run.dialect, run.dialect)
  return { kind: type, source: parseSourceName(source, run.dialect), table: spelled, options, edit, notes }
}

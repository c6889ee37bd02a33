import {
  type Config,
  type DialectName,
  type GeneratedFile,
  type Generation,
  type GenerationOptions,
  type GenerationRequest,
  generationRequestSchema,
  type Project,
  StagecraftError,
  type Table,
  tableSchema,
  type Warning,
} from '@stagecraft/spec'
import { createRunSettings, type RunSettings } from './config/settings.ts'
import { chooseDialect } from './engine/choose-dialect.ts'
import type { PlanContext } from './plan/plan-context.ts'
import { planRun, type PlannedItem } from './plan/plan-run.ts'
import { createSubject, type RunItem } from './plan/subject.ts'
import { printFiles } from './render/print-files.ts'
import { type PrintedModel, printModel } from './render/print-model.ts'
import type { Renderer } from './render/renderer.ts'
import { builtInTemplates, type Templates } from './render/templates.ts'
import { parseSourceName } from './source-name/parse.ts'
import { compareText } from './source-name/stored-name.ts'
import { validate } from '@stagecraft/spec/validate'

/** What a generation depends on besides the request and the table. */
export interface GenerateContext {
  /** The SQL to write. Default: `config.dialect`; one of the two has to be there. */
  readonly dialect?: DialectName
  /** A read `stagecraft.yml`; see `parseConfig`. */
  readonly config?: Config
  /** What is known of the dbt project that the files go into. */
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

/** One table of a run, with what a backend had to say about it. */
export interface EditedItem extends GenerateItem, Pick<RunItem, 'edit' | 'notes'> {}

/** The files of a run, tables of one source together. */
export interface ProjectGeneration {
  /** Sorted by path. */
  readonly files: readonly GeneratedFile[]
  /** In the order of the tables' names. */
  readonly models: readonly { readonly name: string; readonly warnings: readonly Warning[] }[]
  /** About the run as a whole. */
  readonly warnings: readonly Warning[]
}

/**
 * Generates the dbt code for one table. Pure: the same input gives the same bytes.
 *
 * @example
 * const { code, schema } = generate(
 *   { type: 'staging', source: 'raw.stripe.payments', options: { addTests: true } },
 *   { columns: [{ name: 'id', type: 'NUMBER(38,0)' }], primaryKey: ['id'] },
 *   { dialect: 'snowflake' },
 * )
 * @throws {StagecraftError} INVALID_REQUEST for a faulty request, table or configuration; INVALID_SOURCE for a
 * table without columns; GENERATION_FAILED when a template fails or prints something else than was planned.
 */
export function generate(request: GenerationRequest, table: Table, context: GenerateContext): Generation {
  const [generation] = generateEach([{ request, table }], context)
  if (!generation) throw new StagecraftError('GENERATION_FAILED', 'nothing was generated')
  return generation
}

/**
 * Generates for several tables that know of each other, and answers for each alone, in the order asked.
 *
 * @throws {StagecraftError} As `generate` does, for the first table at fault.
 */
export function generateEach(
  items: readonly GenerateItem[],
  context: GenerateContext,
): readonly Generation[] {
  return generateEdited(items.map(withoutEdit), context)
}

/** An edit comes from the checks of the engine and from nowhere else. */
function withoutEdit({ request, table }: GenerateItem): GenerateItem {
  return { request, table }
}

/** As `generateEach`, with edits. */
export function generateEdited(
  items: readonly EditedItem[],
  context: GenerateContext,
): readonly Generation[] {
  const { asked, planned, renderer } = prepare(items, context)
  const byItem = new Map(planned.map((item) => [item.subject.item, item]))
  return asked.flatMap((item) => {
    const found = byItem.get(item)
    return found ? [toGeneration(found, renderer)] : []
  })
}

/**
 * Generates for several tables together: one sources file and one models file per source, whatever order the
 * tables come in.
 *
 * @throws {StagecraftError} As `generate` does, for the first table at fault.
 */
export function generateProject(items: readonly GenerateItem[], context: GenerateContext): ProjectGeneration {
  return generateEditedProject(items.map(withoutEdit), context)
}

/** As `generateProject`, with edits. */
export function generateEditedProject(
  items: readonly EditedItem[],
  context: GenerateContext,
): ProjectGeneration {
  const steps = generateInSteps(items, context)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** As `generateProject`, pausing after each table, so that a caller can show progress or stop. */
export function* generateInSteps(
  items: readonly EditedItem[],
  context: GenerateContext,
): Generator<undefined, ProjectGeneration> {
  const { planned, renderer } = prepare(items, context)
  const files: GeneratedFile[] = []
  const models: ProjectGeneration['models'][number][] = []
  for (const group of Map.groupBy(planned, ({ subject }) => subject.sourceName).values()) {
    const loader = commonLoader(group)
    const printed: PrintedModel[] = []
    for (const item of group) {
      printed.push(printModel(item.plan(), renderer, loader))
      yield
    }
    files.push(...printFiles(printed, renderer))
    models.push(...printed.map(({ name, warnings }) => ({ name, warnings })))
  }
  return { files: files.toSorted((a, b) => compareText(a.path, b.path)), models, warnings: [] }
}

/** The loader that all tables of a source that have one share. */
function commonLoader(group: readonly PlannedItem[]): string | undefined {
  const loaders = new Set(group.flatMap(({ subject }) => subject.loader?.title ?? []))
  return loaders.size === 1 ? [...loaders][0] : undefined
}

/** What the plan of each item is made from, in the order asked. */
export function planContexts(
  items: readonly GenerateItem[],
  context: GenerateContext,
): readonly PlanContext[] {
  const { asked, planned } = prepare(items, context)
  const byItem = new Map(planned.map((item) => [item.subject.item, item.context]))
  return asked.flatMap((item) => byItem.get(item) ?? [])
}

/** One table of a run that is planned together and answered for apart. */
export interface ApartItem {
  readonly item: EditedItem
  /** @throws {StagecraftError} What is wrong with this item. */
  readonly plan: () => PlanContext
  /** @throws {StagecraftError} What is wrong with this item. */
  readonly print: () => Generation
}

/** The items in the order given. A faulty one is no part of the plan of the others. */
export function planApart(items: readonly EditedItem[], context: GenerateContext): readonly ApartItem[] {
  const run = settingsOf(context)
  const templates = context.templates ?? builtInTemplates(run.preset.templates)
  const renderer = { templates, profile: run.profile }
  const checked = items.map((item) => checkItem(item, run))
  const planned = planRun(
    checked.flatMap((one) => ('asked' in one ? one.asked : [])),
    run,
  )
  const byItem = new Map(planned.map((one) => [one.subject.item, one]))
  return checked.map((one, index) => {
    const find = (): PlannedItem => {
      if ('error' in one) throw one.error
      return byItem.get(one.asked) as PlannedItem
    }
    const item = items[index] as EditedItem
    return { item, plan: () => find().context, print: () => toGeneration(find(), renderer) }
  })
}

type CheckedItem = { readonly asked: RunItem } | { readonly error: unknown }

function checkItem(item: EditedItem, run: RunSettings): CheckedItem {
  try {
    const asked = toRunItem(item, run)
    createSubject(asked, run)
    return { asked }
  } catch (error) {
    return { error }
  }
}

interface Prepared {
  readonly asked: readonly RunItem[]
  readonly planned: readonly PlannedItem[]
  readonly renderer: Renderer
}

function prepare(items: readonly EditedItem[], context: GenerateContext): Prepared {
  const run = settingsOf(context)
  const templates = context.templates ?? builtInTemplates(run.preset.templates)
  const asked = items.map((item) => toRunItem(item, run))
  return {
    asked,
    planned: planRun(asked, run),
    renderer: { templates, profile: run.profile },
  }
}

/** What holds for a run. */
export function settingsOf(context: GenerateContext): RunSettings {
  const { config = {}, defaults = {}, project } = context
  return createRunSettings({ dialect: chooseDialect(context), config, project, defaults })
}

function toRunItem({ edit, notes, request, table }: EditedItem, run: RunSettings): RunItem {
  const { options = {}, source, type } = validate(generationRequestSchema, request, 'the request')
  validate(tableSchema, table, `the table ${source}`)
  if (table.columns.length === 0) {
    throw new StagecraftError('INVALID_SOURCE', `${source} has no columns, so there is nothing to select`)
  }
  return { kind: type, source: parseSourceName(source, run.dialect), table, options, edit, notes }
}

function toGeneration(item: PlannedItem, renderer: Renderer): Generation {
  const printed = printModel(item.plan(), renderer, commonLoader([item]))
  const files = printFiles([printed], renderer)
  return {
    code: printed.sql,
    schema: files.find(({ path }) => path === printed.paths.modelYaml)?.content ?? '',
    tests: printed.testNames,
    warnings: printed.warnings,
    files,
  }
}

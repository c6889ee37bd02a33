import {
  type Clock,
  type Explanation,
  type Generation,
  type LlmOptions,
  type LlmSettings,
  systemClock,
  type Warning,
} from '@stagecraft/spec'
import pLimit from 'p-limit'
import type { ExpressionGate } from '../edit/expression-gate.ts'
import { checkOptions } from '../config/check-shape.ts'
import { explainItem } from '../explain/explain-model.ts'
import type { RunSettings } from '../config/settings.ts'
import type { Prompt } from '../edit/prompt.ts'
import { type AskedLlm, decideLlm, type DecidedLlm } from '../edit/settings.ts'
import { type AnswerMeta, answerMeta } from '../engine/answer-meta.ts'
import { type Claims, claimsOf } from '../plan/claims.ts'
import { type ConfiguredConversion, configuredConversions } from '../plan/configured-conversions.ts'
import { type StagedNames, stagedNames } from '../plan/staged-names.ts'
import { planPaths } from '../plan/staging.ts'
import type { Plan } from '../plan/plan.ts'
import { type PlanContext, type Subject, createSubject } from '../plan/subject.ts'
import { MODEL_PARTS } from '../plan/model-types.ts'
import { planRun, type PlannedItem } from '../plan/plan-run.ts'
import type { Renderer } from '../render/print-files.ts'
import { builtInTemplates } from '../render/templates.ts'
import type { EditReport } from './ask-backend.ts'
import {
  type PrintSteps,
  type ProjectGeneration,
  collectFiles,
  keysNotTested,
  lacksKeyTest,
  printRun,
  printTable,
} from './print-run.ts'
import { type EditedItem, type GenerateContext, settingsOf, toRunItem } from './run-item.ts'

export interface RunSetup extends GenerateContext {
  /** A language model that proposes names, descriptions and tests. Default: the rules decide alone. */
  readonly llm?: LlmOptions
  /** Measures how long a backend takes. Default: the machine's clock. */
  readonly clock?: Clock
}

interface EditOptions {
  /** Stops the backend; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface EditAllOptions extends EditOptions {
  /** Called after each table. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Continues with the other tables if one fails; its `generate` then throws the reason. @default false */
  readonly keepsGoing?: boolean
}

/** An item with the edit of the backend, and its cost. */
export interface EditAnswer {
  readonly item: EditedItem
  readonly meta: AnswerMeta
}

/** The names of a table in dbt, and the places of its files. */
export interface TablePlace {
  readonly model: string
  /** The dbt source, and the table in it; no entry of sources is written for a table that is read by `ref`. */
  readonly source: string
  readonly table: string
  readonly paths: Plan['paths']
}

/** One table of a run. A failure here does not affect the other tables. */
export interface RunTable {
  /** Returns the item with the edit of the backend. */
  item(): EditedItem

  /** Returns the report of the backend; undefined before it was asked, and for model types that keep stored names. */
  report(): EditReport | undefined

  /**
   * @throws {StagecraftError} INVALID_REQUEST or INVALID_SOURCE for a faulty item, which cannot have such a model.
   */
  check(): void

  /**
   * Returns the names of the table in dbt, and the places of its files.
   *
   * @throws {StagecraftError} As `check` does.
   */
  place(): TablePlace

  /**
   * Returns the first prompts for a backend, part by part, without sending them. Default: with the settings of the run.
   */
  prompts(settings?: LlmSettings): Promise<readonly Prompt[]>

  /**
   * Asks the backend about the table; without a backend, nothing changes. A table whose edit fails is no longer part
   * of the run.
   *
   * @throws {StagecraftError} As `check` does; GENERATION_FAILED if `onFailure` is `error` and there was no usable
   * answer.
   */
  edit(options?: EditOptions): Promise<EditAnswer>

  /**
   * Generates the files of this table alone. Tests refer to the final names of the other tables of the run.
   *
   * @throws {StagecraftError} As `check` does; GENERATION_FAILED if a template fails or does not print the plan.
   */
  generate(): Generation

  /**
   * Explains the model: the rule of each decision, its evidence, and the keys of `stagecraft.yml` that change it.
   *
   * @throws {StagecraftError} As `check` does.
   */
  explain(): Explanation

  /**
   * Returns the claims about the model that are only true of generated SQL.
   *
   * @throws {StagecraftError} As `check` does.
   */
  claims(): Claims

  /**
   * Returns the names that the columns are staged under.
   *
   * @throws {StagecraftError} As `check` does.
   */
  names(): StagedNames

  /**
   * Returns the conversions that the configuration asks for, by the stored names of the columns.
   *
   * @throws {StagecraftError} As `check` does.
   */
  conversions(): ReadonlyMap<string, ConfiguredConversion>
}

/** Tables that are generated together and can refer to each other. */
export interface Run {
  /** One per item, in the order given. */
  readonly tables: readonly RunTable[]

  /**
   * Asks the backend about every table, four at a time. The first failure stops the others, unless `keepsGoing`.
   *
   * @throws {StagecraftError} The error of the first faulty item, before anything is sent; GENERATION_FAILED if
   * `onFailure` is `error` and a table got no usable answer.
   */
  edit(options?: EditAllOptions): Promise<void>

  /**
   * Generates the files of all tables: one sources file and one models file per source.
   *
   * @throws {StagecraftError} As `RunTable.generate` does, for the first faulty table.
   */
  files(): ProjectGeneration

  /** Returns the joint warnings about tables whose `generate` was called. `files` includes them for all. */
  warnings(): readonly Warning[]

  /**
   * Does the same as `files`, but yields each file as it is finished, in no order, so that large runs need little
   * memory. Pauses after each table, so that a caller can show progress or stop.
   */
  steps(): PrintSteps
}

/** The state of one table. */
interface Slot {
  item: EditedItem
  /** Undefined for a faulty item, and for one whose edit failed: then `error` has the reason. */
  subject: Subject | undefined
  error: unknown
  report: EditReport | undefined
  /** The model, if it was generated without a test of its key. */
  keyless: string | undefined
}

/**
 * The number of tables to ask a backend about in parallel: fast enough for a schema, below the usual limits of a
 * key.
 */
const CONCURRENCY = 4

/**
 * Starts a run over given tables. Pure except for the backend: the same items give the same bytes, in any order.
 *
 * @throws {StagecraftError} INVALID_REQUEST if no dialect is named.
 */
export function createRun(items: readonly EditedItem[], setup: RunSetup): Run {
  checkOptions(setup, 'the options')
  const { clock = systemClock, llm, ...context } = setup
  const settings = settingsOf(context)
  const templates = context.templates ?? builtInTemplates(settings.preset.templates)
  const renderer = { templates, profile: settings.profile, dialect: settings.dialect }
  const slots = items.map((item) => openSlot(item, settings))
  const asked = llm && askedLlm(llm)
  let gate: Promise<ExpressionGate> | undefined
  let first: RunPlan | undefined
  let final: RunPlan | undefined
  const plan = (): RunPlan => (final ??= planSlots(slots, settings))
  // a backend edits the decisions of the rules, whatever it answered about other tables
  const contextOf = (slot: Slot): PlanContext => (first ??= plan()).find(slot).context
  const edit = async (slot: Slot, signal: AbortSignal | undefined): Promise<EditAnswer> => {
    const plan = contextOf(slot)
    if (!asked) return { item: slot.item, meta: answerMeta(undefined, undefined) }
    try {
      if (asked.allowExpressions) gate ??= loadGate(settings.dialect)
      const { askBackend } = await import('./ask-backend.ts')
      const { report, ...edited } = await askBackend(plan, { llm: asked, clock, gate: await gate, signal })
      slot.item = { ...slot.item, ...edited }
      slot.subject = createSubject({ ...plan.subject.item, ...edited }, settings)
      slot.report = report
      return { item: slot.item, meta: answerMeta(asked.backend, report) }
    } catch (error) {
      Object.assign(slot, { subject: undefined, error })
      throw error
    } finally {
      final = undefined
    }
  }
  const openTable = (slot: Slot): RunTable => ({
    item: () => slot.item,
    report: () => slot.report,
    check: () => {
      const { subject } = contextOf(slot)
      MODEL_PARTS[subject.type].check(subject)
    },
    place: () => placeOf(plan().find(slot).subject),
    prompts: (settings) =>
      firstPrompts(contextOf(slot), settings ? decideLlm(settings) : (asked ?? decideLlm())),
    edit: ({ signal } = {}) => edit(slot, signal),
    generate: () => generateSlot(slot, plan(), renderer),
    explain: () => explainItem(plan().find(slot), slot.item.request.source),
    claims: () => claimsOf(contextOf(slot)),
    names: () => stagedNames(contextOf(slot).subject),
    conversions: () => configuredConversions(contextOf(slot).subject),
  })
  let tables: readonly RunTable[] | undefined
  const openTables = (): readonly RunTable[] => (tables ??= slots.map(openTable))
  return {
    get tables() {
      return openTables()
    },
    edit: (options = {}) => editAll(openTables(), options),
    warnings: () => keysNotTested(slots.flatMap(({ keyless }) => keyless ?? [])),
    files: () => collectFiles(printRun(plan().all(), renderer)),
    steps: () => printRun(plan().all(), renderer),
  }
}

/** Most runs ask no backend, and do without the code for that. */
async function firstPrompts(context: PlanContext, llm: DecidedLlm): Promise<readonly Prompt[]> {
  const { promptsOf } = await import('./ask-backend.ts')
  return promptsOf(context, llm)
}

async function loadGate(dialect: RunSettings['dialect']): Promise<ExpressionGate> {
  const { loadExpressionGate } = await import('../edit/expression-gate.ts')
  return loadExpressionGate(dialect)
}

function askedLlm({ backend, ...settings }: LlmOptions): AskedLlm {
  return { ...decideLlm(settings), backend }
}

function openSlot(item: EditedItem, settings: RunSettings): Slot {
  try {
    const subject = createSubject(toRunItem(item, settings), settings)
    return { item, subject, error: undefined, report: undefined, keyless: undefined }
  } catch (error) {
    return { item, subject: undefined, error, report: undefined, keyless: undefined }
  }
}

function generateSlot(slot: Slot, plan: RunPlan, renderer: Renderer): Generation {
  const item = plan.find(slot)
  const made = item.plan()
  slot.keyless = lacksKeyTest(made, item) ? made.model.name : undefined
  return printTable(item, made, renderer)
}

function placeOf(subject: Subject): TablePlace {
  const { modelName: model, dbtSource: source, tableName: table } = subject
  return { model, source, table, paths: planPaths(subject) }
}

/** The joint plan for the tables of a run. */
interface RunPlan {
  /** @throws The error of the table. */
  find(slot: Slot): PlannedItem
  /** In the order of the tables' names. @throws The error of the first faulty table. */
  all(): readonly PlannedItem[]
}

/** Plans tables together; faulty ones are left out. */
function planSlots(slots: readonly Slot[], settings: RunSettings): RunPlan {
  const planned = planRun(
    slots.flatMap(({ subject }) => subject ?? []),
    settings,
  )
  const byItem = new Map(planned.map((one) => [one.subject.item, one]))
  const find = ({ error, subject }: Slot): PlannedItem => {
    const found = subject && byItem.get(subject.item)
    if (!found) throw error
    return found
  }
  return {
    find,
    all() {
      for (const slot of slots) find(slot)
      return planned
    },
  }
}

/** Edits tables in parallel. If one fails, it stops the others and throws that error. */
async function editAll(
  tables: readonly RunTable[],
  { keepsGoing = false, onProgress, signal }: EditAllOptions,
): Promise<void> {
  if (!keepsGoing) for (const table of tables) table.check()
  const stop = new AbortController()
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const limit = pLimit(CONCURRENCY)
  let done = 0
  try {
    await Promise.all(
      tables.map((table) =>
        limit(async () => {
          both.throwIfAborted()
          await table.edit({ signal: both }).catch((error: unknown) => {
            if (!keepsGoing || both.aborted) throw error
          })
          onProgress?.((done += 1), tables.length)
        }),
      ),
    )
  } catch (error) {
    stop.abort(error)
    limit.clearQueue()
    throw error
  }
}

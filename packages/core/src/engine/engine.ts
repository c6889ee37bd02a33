import {
  type Catalog,
  type Clock,
  type Generation,
  type GeneratedFile,
  type GenerationRequest,
  type Ids,
  type LlmOptions,
  type LlmSettings,
  type Meta,
  StagecraftError,
  type Usage,
  type Warning,
  systemClock,
  timeSortedIds,
} from '@stagecraft/spec'
import type { Prompt } from '../edit/prompt.ts'
import { checkOptions } from '../config/check-shape.ts'
import { addUsage, NO_USAGE } from '../edit/usage.ts'
import type { EditReport } from '../run/ask-backend.ts'
import { createRun, type EditAllOptions, type Run, type RunTable } from '../run/create-run.ts'
import { leaveOutFaulty } from '../run/part-items.ts'
import { type ProjectGeneration, sortFiles } from '../run/print-run.ts'
import type { GenerateContext, GenerateItem } from '../run/run-item.ts'
import { answerMeta } from './answer-meta.ts'
import { resolveDialect } from '../config/settings.ts'
import { type ProjectRequest, readEach, type ReadItem, readItems, type ReadItems } from './read-items.ts'
import { readRequest } from './read-tables.ts'

export interface EngineOptions extends GenerateContext {
  /** The source of columns. The engine does not close it. */
  readonly catalog: Catalog
  /** A language model that proposes names, descriptions and tests; without one the rules decide alone. */
  readonly llm?: LlmOptions
  /** Default: the machine's clock. */
  readonly clock?: Clock
  /** Default: random, sorted by time. */
  readonly ids?: Ids
}

export interface RunOptions {
  /** Stops the run; it then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** The answer to one request: `data` and `meta` of the success envelope. */
export interface EngineAnswer {
  readonly data: Generation
  readonly meta: Meta
}

export interface EachRunOptions extends RunOptions {
  /** Called once, with the warnings about all answered tables together. */
  readonly onWarnings?: (warnings: readonly Warning[]) => void
}

export interface ProjectRunOptions extends RunOptions {
  /** Called as tables are finished. */
  readonly onProgress?: (done: number, total: number) => void
  /** Also returns an answer per table, as `generateEach` does, from the same run. Default false. */
  readonly answers?: boolean
}

export interface PromptOptions extends RunOptions {
  /** Default: those of the engine. */
  readonly settings?: LlmSettings
}

/** The first messages to a backend about one table, one per part. */
export interface TablePrompts {
  readonly source: string
  readonly prompts: readonly Prompt[]
}

/** The files of a run, and what the backend cost. */
export interface ProjectAnswer extends ProjectGeneration {
  /** Undefined without a backend. */
  readonly usage: Usage | undefined
  /** One per table, if requested. */
  readonly answers?: readonly EngineAnswer[]
  /** The backend's report on each table that it was called for; empty without a backend. */
  readonly reports: readonly EditReport[]
}

/** Generates from a catalog. */
export interface Engine {
  /**
   * Answers one request.
   *
   * @throws {StagecraftError} INVALID_REQUEST, INVALID_SOURCE, CONNECTION_FAILED or GENERATION_FAILED.
   */
  generate(request: GenerationRequest, options?: RunOptions): Promise<EngineAnswer>

  /**
   * Returns an answer for each table that the request names, in that order, with foreign keys between them. If one of
   * several names fails, its place holds the error, and the others are generated as if it were missing.
   *
   * @throws {StagecraftError} When there is one name, and CONNECTION_FAILED always.
   */
  generateEach(
    request: ProjectRequest,
    options?: EachRunOptions,
  ): Promise<readonly (EngineAnswer | StagecraftError)[]>

  /** Generates the files of all tables that the request names, tables of one source in shared files. */
  generateProject(request: ProjectRequest, options?: ProjectRunOptions): Promise<ProjectAnswer>

  /** Returns the prompts that a backend would get for these tables. Nothing is sent, and no backend is needed. */
  prompts(request: ProjectRequest, options?: PromptOptions): Promise<readonly TablePrompts[]>
}

/** Combines a catalog, the generator and, if there is one, a backend. */
export function createEngine(options: EngineOptions): Engine {
  checkOptions(options, 'the options of createEngine()', ['catalog'])
  const { catalog, clock = systemClock, ids = timeSortedIds(clock), llm, ...context } = options
  const dialect = resolveDialect(context, catalog)
  const reading = { catalog, config: context.config ?? {}, dialect }
  const start = (items: readonly GenerateItem[]): Run =>
    createRun(items, { ...context, dialect, clock, ...(llm && { llm }) })
  const answer = (table: RunTable): EngineAnswer => ({
    data: table.generate(),
    meta: {
      requestId: ids.next('req'),
      timestamp: new Date(clock.now()).toISOString(),
      ...answerMeta(llm?.backend, table.report()),
    },
  })
  return {
    async generate(request, { signal } = {}) {
      const item = await readRequest(request, { catalog, signal, ...context, dialect })
      const [table] = start([item]).tables
      if (!table) throw new StagecraftError('GENERATION_FAILED', 'nothing was generated')
      await table.edit({ signal })
      return answer(table)
    },
    async generateEach(request, { onWarnings, signal } = {}) {
      const isOne = request.sources.length === 1
      const outcomes = await readEach(request, reading, signal)
      const run = start(outcomes.flatMap((one) => ('item' in one ? one.item : [])))
      if (llm) await run.edit({ signal, keepsGoing: !isOne })
      const answers = run.tables.map((table) => (isOne ? answer(table) : attempt(() => answer(table))))
      onWarnings?.(run.warnings())
      return inPlace(outcomes, answers)
    },
    async generateProject(request, { answers = false, onProgress, signal } = {}) {
      const read = await readItems(request, reading, signal)
      const { run, warnings } = startUsable(read, request, start)
      if (llm) await run.edit({ signal, onProgress })
      const printed = await printInSteps(run, { signal, ...(!llm && { onProgress }) })
      const reports = run.tables.flatMap((table) => table.report() ?? [])
      return {
        ...printed,
        warnings: [...warnings, ...printed.warnings],
        usage: llm && sumUsage(reports),
        reports,
        ...(answers && { answers: run.tables.map(answer) }),
      }
    },
    async prompts(request, { settings, signal } = {}) {
      const read = await readItems(request, reading, signal)
      return Promise.all(
        startUsable(read, request, start).run.tables.map((table) => promptsOf(table, settings)),
      )
    },
  }
}

async function promptsOf(table: RunTable, settings: LlmSettings | undefined): Promise<TablePrompts> {
  return { source: table.item().request.source, prompts: await table.prompts(settings) }
}

/** A run over the tables that can have a model. */
interface Started {
  readonly run: Run
  readonly warnings: readonly Warning[]
}

/**
 * Starts a run without those tables of whole schemas that cannot have a model. Only a snapshot requires more than
 * a readable table.
 */
function startUsable(
  { items, warnings }: ReadItems,
  { sources, type }: ProjectRequest,
  start: (items: readonly GenerateItem[]) => Run,
): Started {
  const run = start(items)
  if (type !== 'snapshot') return { run, warnings }
  const names = new Set(sources)
  const usable = leaveOutFaulty(items, run, ({ request }) => names.has(request.source))
  const isAll = usable.items.length === items.length
  return { run: isAll ? run : start(usable.items), warnings: [...warnings, ...usable.warnings] }
}

/** Puts answers in the places of tables, and errors in the places of faulty names. */
function inPlace(
  outcomes: readonly ReadItem[],
  answers: readonly (EngineAnswer | StagecraftError)[],
): readonly (EngineAnswer | StagecraftError)[] {
  const rest = answers.values()
  return outcomes.flatMap((one) => ('error' in one ? one.error : (rest.next().value ?? [])))
}

/** Prints the files of a run, and yields regularly to signals, timers and a progress bar. */
async function printInSteps(
  run: Run,
  { onProgress, signal }: Pick<EditAllOptions, 'onProgress' | 'signal'>,
): Promise<ProjectGeneration> {
  const steps = run.steps()
  const files: GeneratedFile[] = []
  for (let done = 1; ; done++) {
    const step = steps.next()
    if (step.done) return { ...step.value, files: sortFiles(files) }
    files.push(...step.value)
    if (done % TABLES_PER_PAUSE === 0) await pause(signal)
    onProgress?.(done, run.tables.length)
  }
}

/** Returns the error of a failure instead of throwing it. */
function attempt(work: () => EngineAnswer): EngineAnswer | StagecraftError {
  try {
    return work()
  } catch (error) {
    if (error instanceof StagecraftError) return error
    throw error
  }
}

function sumUsage(reports: readonly EditReport[]): Usage {
  return reports.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE)
}

/** Tables between two pauses for signals, timers and a progress bar. */
const TABLES_PER_PAUSE = 20

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  signal?.throwIfAborted()
}

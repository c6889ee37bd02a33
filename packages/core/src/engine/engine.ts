import {
  type Backend,
  type Catalog,
  type Clock,
  type Editing,
  type Generation,
  type GenerationRequest,
  type Ids,
  type Meta,
  StagecraftError,
  type Usage,
} from '@stagecraft/spec'
import { DIALECTS } from '../dialects/index.ts'
import type { Prompt } from '../edit/prompt.ts'
import { addUsage, NO_USAGE } from '../edit/usage.ts'
import {
  type GenerateContext,
  generateEdited,
  generateEditedProject,
  type GenerateItem,
  generateInSteps,
  type ProjectGeneration,
} from '../generate.ts'
import { answerMeta } from './answer-meta.ts'
import { chooseDialect } from './choose-dialect.ts'
import { type EditedRun, editItems, type EditReport, type EditRunOptions, promptsOf } from './edit-items.ts'
import { randomIds, systemClock } from './ids.ts'
import { type ProjectRequest, readItems } from './read-items.ts'
import { readRequest } from './read-requests.ts'

export interface EngineOptions extends GenerateContext {
  /** Where columns come from. The engine does not close it. */
  readonly catalog: Catalog
  /** A language model that proposes names, descriptions and tests; without one the rules decide alone. */
  readonly backend?: Backend
  /** How the backend takes part. */
  readonly editing?: Editing
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

export interface ProjectRunOptions extends RunOptions {
  /** Called as tables are finished. */
  readonly onProgress?: (done: number, total: number) => void
}

/** What a backend would be sent first about one table, part by part. */
export interface TablePrompts {
  readonly source: string
  readonly prompts: readonly Prompt[]
}

/** The files of a run, and what the backend cost. */
export interface ProjectAnswer extends ProjectGeneration {
  /** Undefined without a backend. */
  readonly usage: Usage | undefined
}

/** Generates from a catalog. */
export interface Engine {
  /**
   * Answers one request.
   *
   * @throws {StagecraftError} INVALID_REQUEST, INVALID_SOURCE, CONNECTION_FAILED or GENERATION_FAILED.
   */
  generate(request: GenerationRequest, options?: RunOptions): Promise<EngineAnswer>

  /** Answers for each table that the request names, as `generate` would, with foreign keys between them. */
  generateEach(request: ProjectRequest, options?: RunOptions): Promise<readonly EngineAnswer[]>

  /** Makes the files of all tables that the request names, tables of one source in shared files. */
  generateProject(request: ProjectRequest, options?: ProjectRunOptions): Promise<ProjectAnswer>

  /** What a backend would be sent for these tables; nothing is sent, and no backend is needed. */
  prompts(request: ProjectRequest, options?: RunOptions): Promise<readonly TablePrompts[]>
}

/** Joins a catalog, the generator and, where there is one, a backend. */
export function createEngine({
  backend,
  catalog,
  clock = systemClock,
  editing,
  ids = randomIds(clock),
  ...context
}: EngineOptions): Engine {
  const dialect = chooseDialect(context, catalog)
  const settings = { ...context, dialect }
  const meta = (report: EditReport | undefined): Meta => ({
    requestId: ids.next('req'),
    timestamp: new Date(clock.now()).toISOString(),
    ...answerMeta(backend, report),
  })
  const source = { catalog, config: context.config ?? {}, dialect: DIALECTS[dialect] }
  const edit = async (items: readonly GenerateItem[], options: EditRunOptions): Promise<EditedRun> =>
    backend
      ? editItems(items, { backend, editing, clock, context: settings }, options)
      : { items, reports: [] }
  return {
    async generate(request, { signal } = {}) {
      const item = await readRequest(request, { catalog, signal, ...settings })
      const { items, reports } = await edit([item], { signal })
      const [data] = generateEdited(items, settings)
      if (!data) throw new StagecraftError('GENERATION_FAILED', 'nothing was generated')
      return { data, meta: meta(reports[0]) }
    },
    async generateEach(request, { signal } = {}) {
      const { items, reports } = await edit((await readItems(request, source, signal)).items, { signal })
      return generateEdited(items, settings).map((data, index) => ({ data, meta: meta(reports[index]) }))
    },
    async generateProject(request, { onProgress, signal } = {}) {
      const { items: found, warnings } = await readItems(request, source, signal)
      const { items, reports } = await edit(found, { signal, onProgress })
      const steps = generateInSteps(items, settings)
      for (let done = 1; ; done++) {
        const step = steps.next()
        if (step.done) return { ...step.value, warnings, usage: backend && sumUsage(reports) }
        if (done % TABLES_PER_PAUSE === 0) await pause(signal)
        if (!backend) onProgress?.(done, items.length)
      }
    },
    async prompts(request, { signal } = {}) {
      const { items } = await readItems(request, source, signal)
      const prompts = promptsOf(items, { editing, context: settings })
      return items.map((item, index) => ({ source: item.request.source, prompts: prompts[index] ?? [] }))
    },
  }
}

/** What generating for given tables with a backend depends on. */
export interface BackendContext extends GenerateContext, RunOptions, Pick<EngineOptions, 'editing'> {
  readonly backend: Backend
  /** Default: the machine's clock. */
  readonly clock?: Clock
}

/**
 * As `generateProject`, with a backend, for tables that are at hand.
 *
 * @throws {StagecraftError} As `generateProject` does; GENERATION_FAILED where `onFailure` is `error` and a table
 * got no usable answer.
 */
export async function generateProjectWithBackend(
  items: readonly GenerateItem[],
  { backend, clock = systemClock, editing, signal, ...context }: BackendContext,
): Promise<ProjectAnswer> {
  const setup = { backend, editing, clock, context }
  const { items: edited, reports } = await editItems(items, setup, { signal })
  return { ...generateEditedProject(edited, context), usage: sumUsage(reports) }
}

function sumUsage(reports: readonly (EditReport | undefined)[]): Usage {
  return reports.reduce((sum, report) => (report ? addUsage(sum, report.usage) : sum), NO_USAGE)
}

/** Tables between two looks at the outside: signals, timers, a progress bar. */
const TABLES_PER_PAUSE = 20

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  signal?.throwIfAborted()
}

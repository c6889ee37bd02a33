import {
  type Catalog,
  type Clock,
  type Generation,
  type GenerationOptions,
  type GenerationRequest,
  generationRequestSchema,
  type Ids,
  type Meta,
  type ModelKind,
  type Warning,
} from '@stagecraft/spec'
import { DIALECTS } from '../dialects/index.ts'
import {
  generate,
  type GenerateContext,
  type GenerateItem,
  generateEach,
  generateInSteps,
  type ProjectGeneration,
} from '../generate.ts'
import { parseSourceName } from '../source-name/parse.ts'
import { validate } from '../validate/validate.ts'
import { chooseDialect } from './choose-dialect.ts'
import { randomIds, systemClock } from './ids.ts'
import { readTables } from './read-tables.ts'

export interface EngineOptions extends GenerateContext {
  /** Where columns come from. The engine does not close it. */
  readonly catalog: Catalog
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

/** What to generate a whole run for. */
export interface ProjectRequest {
  readonly type: ModelKind
  /** Source names and `schema.*`; empty for every table of the catalog. */
  readonly sources: readonly string[]
  readonly options?: GenerationOptions
}

export interface ProjectRunOptions extends RunOptions {
  /** Called as tables are finished. */
  readonly onProgress?: (done: number, total: number) => void
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
  generateProject(request: ProjectRequest, options?: ProjectRunOptions): Promise<ProjectGeneration>
}

/** Joins a catalog and the generator. */
export function createEngine({
  catalog,
  clock = systemClock,
  ids = randomIds(clock),
  ...context
}: EngineOptions): Engine {
  const meta = (): Meta => ({
    requestId: ids.next('req'),
    timestamp: new Date(clock.now()).toISOString(),
    tokensUsed: 0,
  })
  const dialect = chooseDialect(context, catalog)
  const settings = { ...context, dialect }
  const read = async (request: ProjectRequest, signal?: AbortSignal): Promise<ReadItems> => {
    const { tables, warnings } = await readTables(catalog, request.sources, DIALECTS[dialect])
    signal?.throwIfAborted()
    const { options = {}, type } = request
    const items = tables.map(({ name, table }) => ({ request: { type, source: name, options }, table }))
    return { items, warnings }
  }
  return {
    async generate(request, { signal } = {}) {
      const { source } = validate(generationRequestSchema, request, 'the request')
      const table = await catalog.describe(parseSourceName(source, DIALECTS[dialect]))
      signal?.throwIfAborted()
      return { data: generate(request, table, settings), meta: meta() }
    },
    async generateEach(request, { signal } = {}) {
      const { items } = await read(request, signal)
      return generateEach(items, settings).map((data) => ({ data, meta: meta() }))
    },
    async generateProject(request, { onProgress, signal } = {}) {
      const { items, warnings } = await read(request, signal)
      const steps = generateInSteps(items, settings)
      for (let done = 1; ; done++) {
        const step = steps.next()
        if (step.done) return { ...step.value, warnings }
        if (done % TABLES_PER_PAUSE === 0) await pause(signal)
        onProgress?.(done, items.length)
      }
    },
  }
}

interface ReadItems {
  readonly items: readonly GenerateItem[]
  readonly warnings: readonly Warning[]
}

/** Tables between two looks at the outside: signals, timers, a progress bar. */
const TABLES_PER_PAUSE = 20

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  signal?.throwIfAborted()
}

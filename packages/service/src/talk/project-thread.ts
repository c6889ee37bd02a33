import type { AskedProject } from '@stagecraft/assistant'
import { type AskOptions, type KeptWorker, keepWorker } from '../worker/keep-worker.ts'
import type { WorkerLimits } from '../worker/run-in-worker.ts'
import type { ProjectAsks, ProjectQuestion, ProjectTask } from './project-task.ts'

/** The limits of a question, the reading of the project included: 1,500 models take a few seconds and 300 MB. */
const LIMITS: WorkerLimits = { timeMs: 120_000, memoryMb: 1024 }
const SUGGESTION = 'ask about less'

/** The time for which a thread stays without a question. */
const IDLE_MS = 5 * 60_000

/** Sources run as they are, and are built to JavaScript. */
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? './project-worker.ts' : './project-worker.js',
  import.meta.url,
)

export interface AskingOptions {
  readonly signal: AbortSignal
  /** Reads the raw table of a model that is proposed. */
  readonly table: ProjectAsks['table']
}

/**
 * A project that a thread of its own reads and answers about, so that it holds up nothing else of the service. The thread
 * begins with the first question, and again after it has ended.
 */
export class ProjectThread {
  readonly #task: ProjectTask
  readonly #limits: WorkerLimits
  #worker: KeptWorker | undefined
  #open = 0
  #isRetired = false
  #timer: NodeJS.Timeout | undefined

  constructor(task: ProjectTask, limits: WorkerLimits = LIMITS) {
    this.#task = task
    this.#limits = limits
  }

  /** Returns the project, for one asker. */
  asked({ signal, table }: AskingOptions): AskedProject {
    return {
      call: ({ name }, input, ports) => {
        const question = {
          kind: 'call',
          tool: name,
          input,
          proposes: ports?.proposals !== undefined,
        } as const
        if (!ports?.proposals) return this.#ask(question, { signal })
        const asks: ProjectAsks = { keep: ports.proposals.keep, table }
        // each gets what its own type says, since the thread asks by the same types
        return this.#ask(question, { signal, answers: asks as unknown as NonNullable<AskOptions['answers']> })
      },
      compute: (question) => this.#ask({ kind: 'compute', question }, { signal }),
      finding: (id) => this.#ask({ kind: 'finding', id }, { signal }),
      lines: (places) => this.#ask({ kind: 'lines', places }, { signal }),
    }
  }

  /** Ends the thread once nobody waits for an answer. */
  async retire(): Promise<void> {
    this.#isRetired = true
    if (this.#open === 0) await this.#close()
  }

  async #ask<Answer>(question: ProjectQuestion, options: AskOptions): Promise<Answer> {
    clearTimeout(this.#timer)
    if (this.#worker?.isOpen() !== true)
      this.#worker = keepWorker(MODULE, this.#task, { limits: this.#limits, suggestion: SUGGESTION })
    this.#open += 1
    try {
      return await this.#worker.ask<Answer>(question, options)
    } finally {
      this.#open -= 1
      if (this.#open === 0) await this.#rest()
    }
  }

  async #rest(): Promise<void> {
    if (this.#isRetired) await this.#close()
    else this.#timer = setTimeout(() => void this.#close(), IDLE_MS).unref()
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.close()
  }
}

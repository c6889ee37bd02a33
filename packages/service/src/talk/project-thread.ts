import type { QueryableProject } from '@stagecraft/assistant'
import { type AskOptions, type QuestionWorker, startQuestionWorker } from '../worker/question-worker.ts'
import type { WorkerLimits } from '../worker/run-in-worker.ts'
import type { ProjectAsks, ProjectQuestion, ProjectTask } from './project-task.ts'

/** The limits of a question, the reading of the project included: 1,500 models take a few seconds and 300 MB. */
const LIMITS: WorkerLimits = { timeMs: 120_000, memoryMb: 1024 }
const SUGGESTION = 'narrow the question'

/** The idle time after which a thread ends. */
const IDLE_MS = 5 * 60_000

/** In development the source file runs as it is; a build has the JavaScript file. */
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
 * Answers questions about a project in a separate thread, so that they do not block the service. The thread starts
 * with the first question, and again after it has ended.
 */
export class ProjectThread {
  readonly #task: ProjectTask
  readonly #limits: WorkerLimits
  #worker: QuestionWorker | undefined
  #open = 0
  #isRetired = false
  #timer: NodeJS.Timeout | undefined

  constructor(task: ProjectTask, limits: WorkerLimits = LIMITS) {
    this.#task = task
    this.#limits = limits
  }

  /** Returns the project for one caller. */
  projectFor({ signal, table }: AskingOptions): QueryableProject {
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
        // Each call gets its own type, because the thread uses the same types.
        return this.#ask(question, { signal, answers: asks as unknown as NonNullable<AskOptions['answers']> })
      },
      compute: (question) => this.#ask({ kind: 'compute', question }, { signal }),
      finding: (id) => this.#ask({ kind: 'finding', id }, { signal }),
      lines: (places) => this.#ask({ kind: 'lines', places }, { signal }),
    }
  }

  /** Ends the thread when no answer is pending. */
  async retire(): Promise<void> {
    this.#isRetired = true
    if (this.#open === 0) await this.#close()
  }

  async #ask<Answer>(question: ProjectQuestion, options: AskOptions): Promise<Answer> {
    clearTimeout(this.#timer)
    if (this.#worker?.isOpen() !== true)
      this.#worker = startQuestionWorker(MODULE, this.#task, { limits: this.#limits, suggestion: SUGGESTION })
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

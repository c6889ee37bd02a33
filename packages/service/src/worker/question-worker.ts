import { Worker } from 'node:worker_threads'
import {
  isOutOfMemory,
  toError,
  tooLarge,
  tooLong,
  type WorkerAnswer,
  type WorkerLimits,
} from './run-in-worker.ts'

/** A thread that keeps its data, and answers questions about it until it is closed. */
export interface QuestionWorker {
  /**
   * Asks the thread. A question that exceeds the time limit ends the thread, and all pending questions fail.
   *
   * @throws {StagecraftError} The error of the answer; GENERATION_FAILED with the reason `too_long` or `too_large` at
   * a limit.
   */
  readonly ask: <Result>(question: unknown, options: AskOptions) => Promise<Result>
  /** False once it has ended, by itself or at a limit. */
  readonly isOpen: () => boolean
  readonly close: () => Promise<void>
}

export interface AskOptions {
  /** Stops waiting. The thread continues, and its answer is dropped. */
  readonly signal: AbortSignal
  /** Handlers for the requests of the thread while it answers, by name. @default none */
  readonly answers?: Readonly<Record<string, (argument: unknown) => Promise<unknown>>>
}

export interface QuestionWorkerOptions {
  readonly limits: WorkerLimits
  /** Advice for a question that exceeded the limits. */
  readonly suggestion: string
}

/** A message to the thread: a question, or the reply to one of its own. A failed reply has no value. */
export type ToWorker =
  | { readonly call: number; readonly question: unknown }
  | { readonly ask: number; readonly value: unknown }
  | { readonly ask: number; readonly failed: true }

/** A message of the thread: an answer, or a request while it answers. */
export type FromWorker =
  | { readonly call: number; readonly answer: WorkerAnswer<unknown> }
  | { readonly call: number; readonly ask: number; readonly name: string; readonly argument: unknown }

interface Call {
  readonly answers: NonNullable<AskOptions['answers']>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * Starts a thread that `answerQuestions` serves. It does not keep the process alive.
 *
 * @param module A file that calls `answerQuestions`.
 * @param task What it reads first, as `workerData`.
 */
export function startQuestionWorker(
  module: URL,
  task: unknown,
  { limits, suggestion }: QuestionWorkerOptions,
): QuestionWorker {
  // The thread must not see the settings and secrets of the service.
  const worker = new Worker(module, {
    workerData: task,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
  })
  worker.unref()
  const calls = new Map<number, Call>()
  let count = 0
  let ended: { readonly error: unknown } | undefined
  const end = (error: unknown): void => {
    ended ??= { error }
    for (const call of calls.values()) call.reject(ended.error)
    void worker.terminate()
  }
  worker.on('message', (message: FromWorker) => {
    const call = calls.get(message.call)
    if ('ask' in message) void reply(worker, message, call)
    else if ('result' in message.answer) call?.resolve(message.answer.result as never)
    else call?.reject(toError(message.answer.error))
  })
  worker.once('error', (error) =>
    end(isOutOfMemory(error) ? tooLarge(limits, { cause: error, suggestion }) : error),
  )
  worker.once('exit', (code) => end(new Error(`the thread ended with ${code} and without an answer`)))
  return {
    isOpen: () => ended === undefined,
    close: async () => {
      end(new Error('the thread was closed'))
      await worker.terminate()
    },
    async ask<Result>(question: unknown, { answers = {}, signal }: AskOptions) {
      signal.throwIfAborted()
      if (ended) throw ended.error
      const { promise, reject, resolve } = Promise.withResolvers<Result>()
      count += 1
      const number = count
      const timer = setTimeout(() => end(tooLong(limits, suggestion)), limits.timeMs)
      const stop = (): void => reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      calls.set(number, { answers, resolve, reject })
      worker.postMessage({ call: number, question } satisfies ToWorker, [])
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        calls.delete(number)
      }
    },
  }
}

/** An error in a reply fails the call. The thread only learns that there is no value. */
async function reply(
  worker: Worker,
  { argument, ask, name }: Extract<FromWorker, { ask: number }>,
  call: Call | undefined,
): Promise<void> {
  try {
    const answer = call?.answers[name]
    if (!answer) throw new TypeError(`the thread asked for ${name}, which has no handler`)
    worker.postMessage({ ask, value: await answer(argument) } satisfies ToWorker, [])
  } catch (error) {
    call?.reject(error)
    worker.postMessage({ ask, failed: true } satisfies ToWorker, [])
  }
}

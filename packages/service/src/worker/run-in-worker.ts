import { Worker } from 'node:worker_threads'
import { type ErrorCode, StagecraftError, type StagecraftErrorOptions } from '@stagecraft/spec'

/** The resource limits of a thread. */
export interface WorkerLimits {
  readonly timeMs: number
  /** JavaScript objects only; the buffers of files are extra. */
  readonly memoryMb: number
}

export interface WorkerOptions {
  readonly limits: WorkerLimits
  /** Ends the thread. */
  readonly signal: AbortSignal
  /** Handlers for the requests that the thread sends with `askOutside`. @default none */
  readonly answers?: OutsideAnswers
  /** Advice for a task that exceeded its limits. @default to check a part of the project */
  readonly suggestion?: string
}

/** The handlers for requests of a thread, by name. If one fails, its error ends the thread. */
type OutsideAnswers = Readonly<Record<string, (argument: string) => Promise<unknown>>>

/** A request of a thread. */
export interface OutsideQuestion {
  readonly ask: number
  readonly name: string
  readonly argument: string
}

/** The reply to a request. */
export interface OutsideReply {
  readonly ask: number
  readonly value: unknown
}

/** The reply of a thread: its result, or the parts of a StagecraftError that can be sent. */
export type WorkerAnswer<Result> =
  | { readonly result: Result }
  | {
      readonly error: {
        readonly code: ErrorCode
        readonly message: string
        readonly details: StagecraftErrorOptions['details']
      }
    }

/**
 * Runs a module in a separate thread. A slow task blocks nothing else, and a task that never ends is stopped.
 *
 * @param module A file that reads `workerData` and posts one `WorkerAnswer`.
 * @throws {StagecraftError} The error of the task; GENERATION_FAILED with the reason `too_long` or `too_large` at its
 * limits.
 */
export async function runInWorker<Result>(
  module: URL,
  task: unknown,
  { answers = {}, limits, signal, suggestion }: WorkerOptions,
): Promise<Result> {
  signal.throwIfAborted()
  // The thread must not see the settings and secrets of the service.
  const worker = new Worker(module, {
    workerData: task,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
  })
  const { promise, reject, resolve } = Promise.withResolvers<Result>()
  const timer = setTimeout(() => reject(tooLong(limits, suggestion)), limits.timeMs)
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  worker.on('message', (message: WorkerAnswer<Result> | OutsideQuestion) => {
    if ('ask' in message) void reply(worker, message, answers).catch(reject)
    else if ('result' in message) resolve(message.result)
    else reject(toError(message.error))
  })
  worker.once('error', (error) =>
    reject(isOutOfMemory(error) ? tooLarge(limits, { cause: error, suggestion }) : error),
  )
  worker.once('exit', (code) => reject(new Error(`the thread ended with ${code} and without a reply`)))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

async function reply(
  worker: Worker,
  { argument, ask, name }: OutsideQuestion,
  answers: OutsideAnswers,
): Promise<void> {
  const answer = answers[name]
  if (!answer) throw new TypeError(`the thread asked for ${name}, which has no handler`)
  worker.postMessage({ ask, value: await answer(argument) } satisfies OutsideReply, [])
}

/** Returns the reply for a StagecraftError. Other errors end the thread, and the service logs them. */
export function answerOf(error: unknown): WorkerAnswer<never> {
  if (!(error instanceof StagecraftError)) throw error
  const { code, details, message } = error
  return { error: { code, message, details } }
}

export function toError({
  code,
  details,
  message,
}: Extract<WorkerAnswer<never>, { error: object }>['error']): Error {
  return new StagecraftError(code, message, { ...(details && { details }) })
}

export function tooLong(
  { timeMs }: WorkerLimits,
  suggestion = 'check a part of the project, or fewer rules',
): StagecraftError {
  const reason = `it took longer than ${timeMs / 1000} seconds and was stopped`
  return new StagecraftError('GENERATION_FAILED', reason, {
    details: { reason: 'too_long', suggestion },
  })
}

export function tooLarge(
  { memoryMb }: WorkerLimits,
  {
    cause,
    suggestion = 'check a part of the project',
  }: { readonly cause: unknown; readonly suggestion?: string | undefined },
): StagecraftError {
  const reason = `it needed more than ${memoryMb} MB of memory and was stopped`
  return new StagecraftError('GENERATION_FAILED', reason, {
    cause,
    details: { reason: 'too_large', suggestion },
  })
}

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

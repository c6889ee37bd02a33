import type { MessagePort } from 'node:worker_threads'
import { answerOf, type OutsideQuestion, type OutsideReply, type WorkerAnswer } from './run-in-worker.ts'
import type { FromWorker, ToWorker } from './question-worker.ts'

/** Sends a request to the thread that started this one, while answering. */
export type AskOwner = (name: string, argument: unknown) => Promise<unknown>

/**
 * Serves the thread that keeps this one: answers its questions, several at a time. An error that is not ours ends
 * the thread.
 */
export function answerQuestions(
  port: MessagePort,
  answer: (question: never, ask: AskOwner) => Promise<unknown>,
): void {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let asked = 0
  const askFor =
    (call: number): AskOwner =>
    (name, argument) => {
      const waiting = Promise.withResolvers<unknown>()
      asked += 1
      open.set(asked, waiting)
      port.postMessage({ call, ask: asked, name, argument } satisfies FromWorker)
      return waiting.promise
    }
  const work = async (call: number, question: unknown): Promise<void> => {
    const result = await answer(question as never, askFor(call)).then(
      (value): WorkerAnswer<unknown> => ({ result: value }),
      (error: unknown) => (error === REFUSED ? { result: undefined } : answerOf(error)),
    )
    port.postMessage({ call, answer: result } satisfies FromWorker)
  }
  port.on('message', (message: ToWorker) => {
    if ('call' in message) void work(message.call, message.question)
    else {
      if ('failed' in message) open.get(message.ask)?.reject(REFUSED)
      else open.get(message.ask)?.resolve(message.value)
      open.delete(message.ask)
    }
  })
}

/** Replaces an error that the parent thread has already reported. */
const REFUSED = new Error('the worker thread did not respond')

/** Sends a request to the thread that started this one, by the name of its handler in `answers`. */
export type AskOutside = (name: string, argument: string) => Promise<unknown>

/**
 * Lets a thread that `runInWorker` started send requests. The port keeps the thread alive only while a request is
 * pending.
 */
export function askOutside(port: MessagePort): AskOutside {
  const open = new Map<number, (value: unknown) => void>()
  let asked = 0
  port.on('message', ({ ask, value }: OutsideReply) => {
    open.get(ask)?.(value)
    open.delete(ask)
    if (open.size === 0) port.unref()
  })
  port.unref()
  return (name, argument) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    asked += 1
    open.set(asked, resolve)
    port.ref()
    port.postMessage({ ask: asked, name, argument } satisfies OutsideQuestion)
    return promise
  }
}

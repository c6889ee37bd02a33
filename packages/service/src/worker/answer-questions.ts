import type { MessagePort } from 'node:worker_threads'
import { answerOf, type WorkerAnswer } from './run-in-worker.ts'
import type { FromKept, ToKept } from './keep-worker.ts'

/** Asks the thread that keeps this one for something, on the way to an answer. */
export type AskKeeper = (name: string, argument: unknown) => Promise<unknown>

/** Serves the thread that keeps this one: answers its questions, several at a time. An error that is not ours ends the thread. */
export function answerQuestions(
  port: MessagePort,
  answer: (question: never, ask: AskKeeper) => Promise<unknown>,
): void {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let asked = 0
  const askFor =
    (call: number): AskKeeper =>
    (name, argument) => {
      const waiting = Promise.withResolvers<unknown>()
      asked += 1
      open.set(asked, waiting)
      port.postMessage({ call, ask: asked, name, argument } satisfies FromKept)
      return waiting.promise
    }
  const work = async (call: number, question: unknown): Promise<void> => {
    const result = await answer(question as never, askFor(call)).then(
      (value): WorkerAnswer<unknown> => ({ result: value }),
      (error: unknown) => (error === REFUSED ? { result: undefined } : answerOf(error)),
    )
    port.postMessage({ call, answer: result } satisfies FromKept)
  }
  port.on('message', (message: ToKept) => {
    if ('call' in message) void work(message.call, message.question)
    else {
      if ('failed' in message) open.get(message.ask)?.reject(REFUSED)
      else open.get(message.ask)?.resolve(message.value)
      open.delete(message.ask)
    }
  })
}

/** Stands for an error that the keeper has already passed on. */
const REFUSED = new Error('the keeper of the thread did not answer')

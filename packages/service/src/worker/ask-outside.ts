import type { MessagePort } from 'node:worker_threads'
import type { OutsideQuestion, OutsideReply } from './run-in-worker.ts'

/** Asks the thread that began this one for something, by the name that `answers` has for it. */
export type AskOutside = (name: string, argument: string) => Promise<unknown>

/** Opens the way to ask, in a thread that `runInWorker` began. The port keeps the thread alive only while something is asked. */
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

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Answer, Session } from './engine.ts'

/** A statement, or in a list one that goes past what emulates the engine. */
type Line = string | readonly [statement: string]

/**
 * A session that another process keeps: it reads one statement per line, as a JSON text, and answers with a line
 * that holds `columns` and `rows`, or `error`.
 */
export function startSession(
  command: string,
  parameters: readonly string[],
): Session & { readonly runBeneath: (statement: string) => Promise<void> } {
  const child = spawn(command, parameters, { stdio: ['pipe', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let previous: Promise<unknown> = Promise.resolve()
  const ask = async (statement: Line): Promise<Answer> => {
    child.stdin.write(`${JSON.stringify(statement)}\n`)
    const line = await lines.next()
    if (line.done) throw new Error(`${command} ended: ${complaint}`)
    const answer = JSON.parse(line.value) as Answer | { readonly error: string }
    if ('error' in answer) throw new Error(`${answer.error}\n${String(statement)}`)
    return answer
  }
  const inTurn = (statement: Line): Promise<Answer> => {
    const next = previous.then(() => ask(statement))
    previous = next.catch(() => undefined)
    return next
  }
  return {
    query: inTurn,
    run: async (statement) => void (await inTurn(statement)),
    runBeneath: async (statement) => void (await inTurn([statement])),
    close: async () => {
      child.stdin.end()
      await ended
    },
  }
}

// A thread that does what its task says.
import { parentPort, workerData } from 'node:worker_threads'
import { StagecraftError } from '@stagecraft/spec'
import { answerOf } from '../run-in-worker.ts'

/** The order that a thread gets. */
export type Misbehaviour =
  | 'answer'
  | 'hang'
  | 'fill memory'
  | 'refuse'
  | 'throw'
  | 'leave'
  | 'show environment'

function misbehave(task: Misbehaviour): unknown {
  const memory: number[][] = []
  if (task === 'hang') for (;;) memory.length = 0
  if (task === 'fill memory') for (;;) memory.push(Array.from({ length: 10_000 }, Math.random))
  if (task === 'throw') throw new TypeError('a bug')
  if (task === 'show environment') return { result: process.env }
  if (task === 'refuse')
    return answerOf(new StagecraftError('INVALID_REQUEST', 'no such file', { details: { reason: 'none' } }))
  return { result: 42 }
}

if (workerData !== 'leave') parentPort?.postMessage(misbehave(workerData as Misbehaviour), [])

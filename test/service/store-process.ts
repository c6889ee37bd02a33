import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { repositoryPath } from '../paths.ts'
import type { StorePlace } from './each-store.ts'
import type { StoreTask } from './store-worker.ts'

export interface StoreProcess {
  readonly process: ChildProcess
  /** What it says that it has done, line by line. */
  readonly lines: AsyncIterable<string>
  /** Resolves when it ends, with the code, and what it printed about errors. */
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
}

/** Starts a process that opens the store and does a task with it. */
export function startStoreProcess(place: StorePlace, task: StoreTask): StoreProcess {
  const script = repositoryPath('test/service/store-worker.ts')
  const child = spawn(process.execPath, [script, JSON.stringify({ place, task })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors = text(child.stderr)
  return {
    process: child,
    lines: createInterface({ input: child.stdout }),
    ended: once(child, 'close').then(async ([code]) => ({
      code: code as number | null,
      errors: await errors,
    })),
  }
}

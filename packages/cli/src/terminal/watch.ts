import { type FSWatcher, watch } from 'node:fs'
import { relative, resolve } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { finish, Interrupted } from './finish.ts'
import { onSignal } from './on-signal.ts'
import { paint } from './paint.ts'

/** A folder to watch. */
export interface WatchedFolder {
  readonly path: string
  /** With all folders in it. */
  readonly isDeep: boolean
}

/** The quiet time in milliseconds after which the work runs again, because editors save in several steps. */
const SETTLED_MS = 150

/** Folders that nobody edits, and temporary files of editors. */
const IGNORED =
  /(?:^|[\\/])(?:\.git|\.stagecraft|\.venv|node_modules|target|dbt_packages|logs)(?:[\\/]|$)|(?:~|\.sw[a-z]|\.tmp|[\\/]4913)$/

/**
 * Runs work now and after every change of a file, until Ctrl-C. Errors of the work are printed, and watching
 * continues.
 *
 * @throws {StagecraftError} INVALID_REQUEST if a folder cannot be watched.
 */
export async function watchFiles(
  folders: readonly WatchedFolder[],
  work: () => Promise<void>,
): Promise<void> {
  const changes = new Changes()
  const off = onSignal(['SIGINT', 'SIGTERM'], () => changes.stop())
  const watchers = folders.map((folder) => open(folder, changes))
  try {
    for (;;) {
      await attempt(work)
      process.exitCode = 0
      if (changes.isStopped) break
      process.stderr.write(`${paint('dim', 'watching for changes; press Ctrl-C to stop')}\n`)
      const path = await changes.next()
      if (path === undefined) break
      if (process.stdout.isTTY) process.stdout.write('\u001b[2J\u001b[H')
      process.stderr.write(`\n${paint('cyan', 'changed')} ${path}\n`)
    }
  } finally {
    off()
    for (const watcher of watchers) watcher.close()
  }
}

function open({ isDeep, path }: WatchedFolder, changes: Changes): FSWatcher {
  try {
    const watcher = watch(path, { recursive: isDeep }, (_, name) => {
      if (name !== null && !IGNORED.test(name)) changes.add(relative('.', resolve(path, name)))
    })
    return watcher.on('error', (error) => changes.fail(error))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw StagecraftError.invalid(
      { path: '--watch', expected: 'a folder that can be watched', received: `${path}: ${reason}` },
      { cause: error },
    )
  }
}

/** Prints an error of the configuration or project, which the next save may fix. An internal error ends the program. */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Interrupted) return
    if (!(error instanceof StagecraftError)) throw error
    await finish(error, { json: false })
  }
}

/** Collects changes of files since the last call. */
class Changes {
  isStopped = false
  #path: string | undefined
  #error: unknown
  #timer: NodeJS.Timeout | undefined
  #wake: (() => void) | undefined

  add(path: string): void {
    this.#path ??= path
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#wake?.(), SETTLED_MS)
  }

  stop(): void {
    this.isStopped = true
    this.#wake?.()
  }

  fail(error: unknown): void {
    this.#error = error
    this.#wake?.()
  }

  /** Resolves to a changed file once changes stop; undefined if stopped. */
  async next(): Promise<string | undefined> {
    if (!this.isStopped && this.#error === undefined)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        if (this.#path !== undefined) this.add(this.#path)
      })
    clearTimeout(this.#timer)
    this.#wake = undefined
    if (this.#error !== undefined) throw this.#error
    const path = this.#path
    this.#path = undefined
    return this.isStopped ? undefined : path
  }
}

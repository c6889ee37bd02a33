import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { findFailure, gitFailed, pushFailed } from './failures.ts'
import { NOT_STARTED, type PushWatch } from './push-watch.ts'

const LARGEST_OUTPUT = 64 * 1024 * 1024
const KEPT_OF_ERRORS = 64 * 1024

interface GitOptions {
  readonly program: string
  readonly environment: Record<string, string>
  /** The folder that git runs in. */
  readonly folder: string
  readonly signal: AbortSignal
  /** Starts each process, so that none outlives this one. */
  readonly watch: Pick<PushWatch, 'start' | 'end'>
}

interface GitInput {
  readonly input?: string | Buffer
  /** Receives the output as a stream instead of returning it. */
  readonly onOutput?: (chunk: Buffer) => void
}

interface GitAnswer {
  readonly status: number | string
  readonly output: string
  /** Never shown, because it may contain secrets. */
  readonly errors: string
}

/** git, configured for one push. */
export interface Git {
  /** Runs a command and returns its result, whatever its status. */
  readonly run: (parameters: readonly string[], input?: GitInput) => Promise<GitAnswer>
  /**
   * Returns the output of a command that has to succeed.
   *
   * @throws {StagecraftError} CONNECTION_FAILED
   */
  readonly read: (parameters: readonly string[], input?: GitInput) => Promise<string>
}

export function createGit(options: GitOptions): Git {
  const run = async (parameters: readonly string[], input: GitInput = {}): Promise<GitAnswer> =>
    await runGit(parameters, { ...options, ...input })
  return {
    run,
    read: async (parameters, input) => {
      const { errors, output, status } = await run(parameters, input)
      if (status === 0) return output
      const failure = findFailure(errors)
      throw failure === undefined ? gitFailed(parameters[0] ?? '', status) : pushFailed(failure)
    },
  }
}

async function runGit(parameters: readonly string[], options: GitOptions & GitInput): Promise<GitAnswer> {
  const { environment, folder, input = '', onOutput, program, signal, watch } = options
  signal.throwIfAborted()
  // A separate process group, so helpers of git (https, ssh, hooks of a local remote) end with it.
  const child = watch.start(program, parameters, { environment, folder })
  const { pid } = child
  let stopping: Promise<void> | undefined
  const stop = (): void => {
    stopping ??= stopGroup(child)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const ended = once(child, 'close')
    const { errorText, isTooMuch, outputText } = collect(child, { onOutput, stop })
    // A program that exits early does not read everything. Its status is reported.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    const [status, killer] = (await ended.catch(explainStart)) as [number | null, NodeJS.Signals | null]
    await stopping
    signal.throwIfAborted()
    if (isTooMuch()) throw pushFailed('too_much')
    if (status !== null && NOT_STARTED.includes(status)) throw pushFailed('git_missing')
    return { status: status ?? killer ?? 'no status', output: outputText(), errors: errorText() }
  } finally {
    signal.removeEventListener('abort', stop)
    if (pid !== undefined) watch.end(pid)
  }
}

function explainStart(error: NodeJS.ErrnoException): never {
  throw gitFailed('start', error.code ?? 'no code')
}

interface Collected {
  readonly outputText: () => string
  readonly errorText: () => string
  readonly isTooMuch: () => boolean
}

interface CollectOptions {
  readonly onOutput: ((chunk: Buffer) => void) | undefined
  readonly stop: () => void
}

/** Collects the output, and the end of stderr, which has the errors. */
function collect(child: ChildProcess, { onOutput, stop }: CollectOptions): Collected {
  const output: Buffer[] = []
  let size = 0
  let errors: Buffer = Buffer.alloc(0)
  const keep = (chunk: Buffer): void => {
    size += chunk.length
    if (size > LARGEST_OUTPUT) stop()
    else output.push(chunk)
  }
  child.stdout?.on('data', onOutput ?? keep)
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = Buffer.concat([errors, chunk]).subarray(-KEPT_OF_ERRORS)
  })
  return {
    outputText: () => Buffer.concat(output).toString(),
    errorText: () => errors.toString(),
    isTooMuch: () => size > LARGEST_OUTPUT,
  }
}

const GRACE_MS = 1000
const POLL_MS = 20

/**
 * Ends a process group. It asks first, so git can remove its locks, including those in a repository of this machine.
 */
async function stopGroup(child: ChildProcess): Promise<void> {
  const { pid, stderr, stdout } = child
  if (pid === undefined) return
  const end = performance.now() + GRACE_MS
  let isAlive = signalGroup(pid, 'SIGTERM')
  while (isAlive && performance.now() < end) {
    await pause(POLL_MS)
    isAlive = signalGroup(pid, 0)
  }
  signalGroup(pid, 'SIGKILL')
  // Processes that left the group may keep them open.
  stdout?.destroy()
  stderr?.destroy()
}

/** Signals a process group; returns false if it is gone. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

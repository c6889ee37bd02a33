import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { repositoryPath } from '../paths.ts'

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  /** Where it runs. Default: the repository. */
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  /** Whether standard error has the lines of progress, which only slow machines print. @default false */
  readonly keepsProgress?: boolean
  /** Called with every piece of standard error, to stop the process at a place of interest. */
  readonly onError?: (text: string, stop: (signal: NodeJS.Signals) => void) => void
}

const BIN = repositoryPath('packages/cli/src/bin.ts')

/** Runs the command from source in a process of its own. */
export function runCli(parameters: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { env = {}, folder = repositoryPath(''), keepsProgress = false, onError } = options
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...parameters], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const texts = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      texts.stderr += text
      onError?.(text, (signal) => child.kill(signal))
    })
    child.once('error', reject)
    child.once('close', (code) => {
      const stderr = keepsProgress ? texts.stderr : withoutProgress(texts.stderr)
      resolve({ code, stdout: texts.stdout, stderr })
    })
  })
}

/** A command for the process that stays. */
export interface WarmRun {
  readonly parameters: readonly string[]
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

let warm: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs the command as `runCli` does, but in a process that stays for the next one, so that a test does not wait for the start of
 * one. For tests of what a command reads, prints and writes; signals, pipes and the end of the process want one of their own.
 */
export async function runWarm(
  parameters: readonly string[],
  { env = {}, folder = repositoryPath('') }: Pick<CliOptions, 'env' | 'folder'> = {},
): Promise<CliResult> {
  const run: WarmRun = { parameters, folder, env: { ...process.env, NO_COLOR: '1', ...env } }
  const result = last.then(() => askWarm(run))
  last = result.catch(() => undefined)
  const { code, stderr, stdout } = await result
  return { code, stdout, stderr: withoutProgress(stderr) }
}

async function askWarm(run: WarmRun): Promise<CliResult> {
  warm ??= fork(repositoryPath('test/cli/warm-process.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const child = warm
  child.ref()
  child.channel?.ref()
  const ended = new AbortController()
  const { signal } = ended
  try {
    const end = once(child, 'exit', { signal }).then(() => {
      warm = undefined
      throw new Error(`the process of the command ended: ${run.parameters.join(' ')}`)
    })
    const answer = once(child, 'message', { signal }) as Promise<[CliResult]>
    end.catch(() => undefined)
    child.send(run)
    const [result] = await Promise.race([answer, end])
    return result
  } finally {
    ended.abort()
    child.unref()
    child.channel?.unref()
  }
}

/** Standard error without the lines of progress, which only slow machines print. */
export function withoutProgress(stderr: string): string {
  return stderr.replaceAll(/^generating \d+\/\d+\n/gm, '')
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Every file below a folder: its content by its path. */
export function readFolder(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  return Object.fromEntries(
    files.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')] as const),
  )
}

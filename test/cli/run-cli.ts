import { spawn } from 'node:child_process'
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
      const stderr = keepsProgress ? texts.stderr : texts.stderr.replaceAll(/^generating \d+\/\d+\n/gm, '')
      resolve({ code, stdout: texts.stdout, stderr })
    })
  })
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

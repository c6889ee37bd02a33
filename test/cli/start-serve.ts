import { type ChildProcess, spawn } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import { repositoryPath } from '../paths.ts'

/** A service in a process of its own. */
export interface Serving {
  readonly child: ChildProcess
  /** The first address that it listens on. */
  readonly url: string
  /** That of what is under `/v1`. */
  readonly apiUrl: string
  readonly stdout: () => string
  readonly stderr: () => string
  readonly exit: Promise<number | null>
}

/** Starts `stagecraft serve` on any free ports. It is killed at the end of the test. */
export async function startServe(
  flags: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Serving> {
  const parameters = [repositoryPath('packages/cli/src/bin.ts'), 'serve', '--port', '0', ...flags]
  const child = spawn(process.execPath, parameters, {
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  const isReady = (): string => `${texts.stdout}${child.exitCode === null ? '' : texts.stderr}`
  await expect.poll(isReady).toMatch(/API docs|healthz|error/)
  const url = /(http:\S+)\/(?:generate|healthz)/.exec(texts.stdout)?.[1] ?? ''
  const apiUrl = /API (http:\S+)\/v1/.exec(texts.stdout)?.[1] ?? url
  return { child, url, apiUrl, stdout: () => texts.stdout, stderr: () => texts.stderr, exit }
}

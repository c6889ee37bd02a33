import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

/** Writes the script that the page gives to users of a clone, and returns its path. */
function documentedScript(home: string): string {
  const page = readFileSync(repositoryPath('docs/how-to/install.md'), 'utf8')
  const [, block = ''] = /^```sh\n(mkdir -p ~\/\.local\/bin\n.*?)^```$/ms.exec(page) ?? []
  execFileSync('sh', ['-euc', block], { cwd: repositoryPath(''), env: { ...process.env, HOME: home } })
  return join(home, '.local/bin/stagecraft')
}

/** The service, started in a folder by the script for a clone, in a process group of its own. */
async function startDocumented(folder: string): Promise<{
  readonly child: ChildProcess
  readonly url: string
  readonly log: () => string
}> {
  const child = spawn(documentedScript(folder), ['serve', '--port', '0', '--data', 'data'], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All of it has ended.
    }
    await closed
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  await expect.poll(() => texts.stdout + texts.stderr).toMatch(/API docs|error/)
  const url = /API docs (http:\S+)\/docs/.exec(texts.stdout)?.[1] ?? ''
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  return { child, url, log: () => texts.stderr }
}

async function expectGone({ child, url }: Awaited<ReturnType<typeof startDocumented>>): Promise<void> {
  await expect
    .poll(() => ({ code: child.exitCode, signal: child.signalCode }), { timeout: 120_000 })
    .toEqual({ code: 0, signal: null })
  await expect(fetch(`${url}/healthz`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  expect(() => process.kill(-(child.pid ?? 0), 0)).toThrow('ESRCH')
}

test(
  'a signal to the process that the documented command started ends the service',
  { timeout: 600_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stagecraft-npm-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const service = await startDocumented(folder)
      service.child.kill(signal)
      await expectGone(service)
      expect(service.log()).toContain(`stopping after ${signal}`)
    }
    // A terminal sends Ctrl-C to all of the group, and npm passes it on once more.
    const service = await startDocumented(folder)
    process.kill(-(service.child.pid ?? 0), 'SIGINT')
    await expectGone(service)
    expect(service.log()).toContain('stopping after SIGINT')
    // On a busy machine it does so late, when the service has stopped.
    const late = await startDocumented(folder)
    late.child.kill('SIGSTOP')
    process.kill(-(late.child.pid ?? 0), 'SIGINT')
    await expect.poll(late.log).toContain('stopping after SIGINT')
    await delay(1000)
    late.child.kill('SIGCONT')
    await expectGone(late)
  },
)

import { type ChildProcess, spawn } from 'node:child_process'
import { createKey } from '@stagecraft/http'
import { repositoryPath } from '../paths.ts'

/** A running `stagecraft serve` in a process of its own. */
export interface RunningService {
  readonly child: ChildProcess
  /** Address of `POST /generate`. */
  readonly baseUrl: string
  /** Address of what is under `/v1`. */
  readonly apiUrl: string
  /** What it wrote to standard error so far. */
  readonly log: () => string
  /** Its exit code; null when it was killed. */
  readonly exit: Promise<number | null>
  /** Stops it, and waits. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface ServiceStart {
  readonly folder: string
  /** PostgreSQL. Default: a file in the folder. */
  readonly databaseUrl?: string
  readonly adminKey: string
  readonly flags?: readonly string[]
}

/** The key that encrypts the secrets of the stores. */
export const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const START_MS = 150_000

export function newAdminKey(): string {
  return createKey({ environment: 'test' })
}

/** Starts the service from source; webhooks may go to this machine, and connections be files of it. */
export async function startService({
  adminKey,
  databaseUrl = '',
  flags = [],
  folder,
}: ServiceStart): Promise<RunningService> {
  const parameters = ['serve', '--port', '0', '--data', folder, '--log-level', 'warn', ...flags]
  const child = spawn(process.execPath, [repositoryPath('packages/cli/src/bin.ts'), ...parameters], {
    env: {
      ...process.env,
      NO_COLOR: '1',
      DATABASE_URL: databaseUrl,
      STAGECRAFT_SECRET_KEY: SECRET_KEY,
      STAGECRAFT_ADMIN_KEY: adminKey,
      STAGECRAFT_ALLOW_LOCAL: '1',
      STAGECRAFT_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      STAGECRAFT_WEBHOOK_ALLOW_HTTP: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const addresses = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL')
      reject(new Error(`serve ${why}: ${texts.stderr}`))
    }
    const timer = setTimeout(() => fail('did not listen in time'), START_MS)
    child.once('close', (code) => fail(`ended with ${code}`))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.stdout += text
      if (!/API docs|worker,/.test(texts.stdout)) return
      clearTimeout(timer)
      resolve(texts.stdout)
    })
  })
  return {
    child,
    baseUrl: /POST (http:\S+)\/generate/.exec(addresses)?.[1] ?? '',
    apiUrl: /API (http:\S+)\/v1/.exec(addresses)?.[1] ?? '',
    log: () => texts.stderr,
    exit,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return await exit
    },
  }
}

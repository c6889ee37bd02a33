import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GitCredentials } from './push-options.ts'

const PREFIX = 'stagecraft-push-'
const STALE_MS = 24 * 60 * 60 * 1000

export interface HomeOptions {
  readonly folder: string | undefined
  readonly credentials: GitCredentials | undefined
}

/** Does work with a folder that nobody else may read and that is gone afterwards, whatever the work does. */
export async function withPushHome<Result>(
  work: (home: string) => Promise<Result>,
  { folder = tmpdir(), credentials }: HomeOptions,
): Promise<Result> {
  await mkdir(folder, { recursive: true })
  await removeStale(folder)
  const home = await mkdtemp(join(folder, PREFIX))
  try {
    await mkdir(join(home, 'clone'))
    await writeKey(home, credentials)
    return await work(home)
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** What was left where a process died in the midst of a push; it may hold a key. */
async function removeStale(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX))
  for (const name of names) {
    const path = join(folder, name)
    // Another process may be removing it too.
    const times = await stat(path).catch(() => undefined)
    if (times !== undefined && Date.now() - times.mtimeMs > STALE_MS) {
      await rm(path, { recursive: true, force: true })
    }
  }
}

/** What ssh wants in files. It refuses a key without a line end, which pasting loses. */
async function writeKey(home: string, credentials: GitCredentials | undefined): Promise<void> {
  if (credentials === undefined || !('privateKey' in credentials)) return
  const { knownHosts = '', privateKey } = credentials
  const key = `${privateKey.replaceAll('\r\n', '\n').trim()}\n`
  await writeFile(join(home, 'key'), key, { mode: 0o600 })
  await writeFile(join(home, 'known_hosts'), knownHosts, { mode: 0o600 })
}

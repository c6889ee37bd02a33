import { loadSqlite } from '@stagecraft/catalogs/sqlite'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GitCredentials } from './push-options.ts'
import { type PushWatch, watchPush } from './push-watch.ts'

/** A private key in a form that ssh can read. */
interface PushKey {
  readonly file: string
  readonly close: () => Promise<void>
}

/** A folder in memory, if the system has one. */
const MEMORY = '/dev/shm'

/**
 * Passes a key to ssh in an unnamed file, in memory if possible. ssh opens it through this process, so it disappears with
 * the process, even a killed one. On systems without such files, such as macOS, it is a file in the folder of the push.
 */
async function openKey(home: string, privateKey: string): Promise<PushKey> {
  // ssh refuses a key without a final newline, which is easily lost when pasting.
  const text = `${privateKey.replaceAll('\r\n', '\n').trim()}\n`
  for (const folder of [MEMORY, home]) {
    const handle = await openNameless(folder)
    if (handle === undefined) continue
    const file = `/proc/${process.pid}/fd/${handle.fd}`
    if (await isReadBack(handle, { file, text })) return { file, close: () => handle.close() }
    await handle.close()
  }
  const file = join(home, 'key')
  await writeFile(file, text, { mode: 0o600 })
  return { file, close: () => unlink(file) }
}

/** Unlinks the file before writing to it. */
async function openNameless(folder: string): Promise<FileHandle | undefined> {
  const path = join(folder, `stagecraft-${randomUUID()}`)
  try {
    const handle = await open(path, 'wx+', 0o600)
    await unlink(path)
    return handle
  } catch {
    // Try the next place.
    return undefined
  }
}

async function isReadBack(
  handle: FileHandle,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<boolean> {
  try {
    await handle.writeFile(text)
    return (await readFile(file, 'utf8')) === text
  } catch {
    // No space, or it cannot be opened again.
    return false
  }
}

const PREFIX = 'stagecraft-push-'
const LOCK = '.lock'

interface HomeOptions {
  readonly folder: string | undefined
  readonly credentials: GitCredentials | undefined
}

/** The working folder of a push. */
export interface PushHome {
  /** The home folder of git and ssh, used by this push only. */
  readonly home: string
  /** The file of the private key for ssh; undefined without one. */
  readonly keyFile: string | undefined
  readonly watch: PushWatch
}

/** Runs work with a private folder that is removed afterwards, even if the work fails or this process dies. */
export async function withPushHome<Result>(
  work: (home: PushHome) => Promise<Result>,
  { folder = tmpdir(), credentials }: HomeOptions,
): Promise<Result> {
  await mkdir(folder, { recursive: true })
  await removeLeftovers(folder)
  const { home, lock } = lockHome(folder)
  let watch: PushWatch | undefined
  let key: PushKey | undefined
  try {
    await mkdir(join(home, 'clone'), { recursive: true, mode: 0o700 })
    watch = await watchPush(home)
    if (credentials !== undefined && 'privateKey' in credentials) {
      key = await openKey(home, credentials.privateKey)
      await writeFile(join(home, 'known_hosts'), credentials.knownHosts ?? '', { mode: 0o600 })
    }
    return await work({ home, keyFile: key?.file, watch })
  } finally {
    await key?.close()
    await watch?.stop()
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
    await rm(home + LOCK, { force: true })
    lock.release()
  }
}

/** The lock is created first: a folder without a held lock is abandoned. */
function lockHome(folder: string): { readonly home: string; readonly lock: PushLock } {
  for (;;) {
    const home = join(folder, `${PREFIX}${randomUUID()}`)
    const lock = takeLock(home + LOCK)
    if (lock) return { home, lock }
  }
}

/** Removes the folders of killed processes, however old. Folders of running processes stay. */
export async function removeLeftovers(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX))
  for (const name of new Set(names.map((name) => name.replace(/\.lock.*$/, '')))) {
    const home = join(folder, name)
    const lock = takeLock(home + LOCK)
    if (!lock) continue
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
    await rm(home + LOCK, { force: true })
    lock.release()
  }
}

/** A lock that ends with its process, even after a crash, and works between processes that share a folder. */
interface PushLock {
  readonly release: () => void
}

const BUSY = 5

/**
 * Locks a file, which is created if needed. Only SQLite's lock on the file is used: unlike a file with a process id, it
 * cannot be left behind or mistaken for the lock of another process.
 *
 * @returns Undefined if another process has the lock, or the file was deleted.
 */
export function takeLock(file: string): PushLock | undefined {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { readonly errcode?: number }).errcode === BUSY) return undefined
    throw error
  }
  if (existsSync(file)) return { release: () => database.close() }
  database.close()
  return undefined
}

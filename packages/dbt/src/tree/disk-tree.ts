import { type Dirent, readdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import type { FileTree, ListOptions, TreeFile } from './file-tree.ts'

/** Two writes at the same moment may have the same times, so very new files have no version. */
const YOUNG_MS = 2000

export interface DiskTreeOptions {
  /** The time in milliseconds since 1970. @default that of the machine */
  readonly now?: () => number
}

/**
 * Creates the tree of a folder on disk. Links are followed, as dbt follows them, but no folder is listed inside itself.
 *
 * @param root The folder, which need not exist.
 */
export function diskTree(root: string, { now = Date.now }: DiskTreeOptions = {}): FileTree {
  return {
    list(folder, options = {}) {
      const files = listFolder({ ...options, root, before: now() - YOUNG_MS }, folder, [])
      return Promise.resolve(files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    },
    read: (path) => readBytes(join(root, path), path),
  }
}

interface Walk extends ListOptions {
  readonly root: string
  /** Files that changed before this time are identified by their times. */
  readonly before: number
}

function listFolder(walk: Walk, folder: string, above: readonly string[]): readonly TreeFile[] {
  const place = join(walk.root, folder)
  const real = orAbsent(() => realpathSync(place))
  if (real === undefined) return []
  if (above.includes(real)) {
    walk.onLeftOut?.(folder, 'a link to one of its own parent folders, so it is not followed')
    return []
  }
  const entries = orAbsent(() => readEntries(place, { folder, walk })) ?? []
  return entries.flatMap((entry) => listEntry(walk, folder, { entry, above: [...above, real] }))
}

function readEntries(
  place: string,
  { folder, walk }: { readonly folder: string; readonly walk: Walk },
): readonly Dirent[] {
  try {
    return readdirSync(place, { withFileTypes: true })
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EIO'].includes(codeOf(error))) throw error
    const what = `not readable (${codeOf(error)})`
    if (!walk.onLeftOut) throw unreadable(folder, what, { expected: 'a folder', cause: error })
    walk.onLeftOut(folder, `${what}; check its permissions`)
    return []
  }
}

interface Entry {
  readonly entry: Dirent
  /** The real paths of the parent folders. */
  readonly above: readonly string[]
}

function listEntry(walk: Walk, folder: string, { above, entry }: Entry): readonly TreeFile[] {
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`
  if (entry.isDirectory()) return walk.skip?.(path) ? [] : listFolder(walk, path, above)
  const stats = orAbsent(() => statSync(join(walk.root, path)), {
    onLoop: () => walk.onLeftOut?.(path, 'a link that leads to itself'),
  })
  if (stats?.isDirectory()) return walk.skip?.(path) ? [] : listFolder(walk, path, above)
  return stats?.isFile() ? [{ path, version: versionOf(stats, walk.before) }] : []
}

function versionOf({ ctimeMs, ino, mtimeMs, size }: Stats, before: number): string | undefined {
  return Math.max(ctimeMs, mtimeMs) < before ? `${mtimeMs}-${ctimeMs}-${size}-${ino}` : undefined
}

/** Returns the result of the disk; undefined if the path does not exist, or is not a folder. */
function orAbsent<Answer>(
  ask: () => Answer,
  { onLoop }: { readonly onLoop?: () => void } = {},
): Answer | undefined {
  try {
    return ask()
  } catch (error) {
    if (codeOf(error) === 'ELOOP') onLoop?.()
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))) return undefined
    throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

async function readBytes(file: string, path: string): Promise<Uint8Array | undefined> {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined) return undefined
    if (!stats.isFile()) throw unreadable(path, kindOf(stats))
    return await readFile(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error instanceof StagecraftError || codeOf(error) === ''
      ? error
      : unreadable(path, `not readable (${codeOf(error)})`, { cause: error })
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder'
  return stats.isFIFO() ? 'a pipe' : 'a device'
}

interface Expectation {
  /** @default 'a file' */
  readonly expected?: string
  readonly cause?: unknown
}

/** @param what The thing in its place, or the code of the error. */
function unreadable(
  path: string,
  what: string,
  { cause, expected = 'a file' }: Expectation = {},
): StagecraftError {
  return new StagecraftError(
    'INVALID_REQUEST',
    `${path}: expected ${expected}, but it is ${what}; check its permissions and links`,
    { cause, details: { faults: [{ path, expected, received: what }] } },
  )
}

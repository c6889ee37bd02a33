import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileFailed, unreadable } from '../files/file-failed.ts'
import { readText } from '../files/read-text.ts'
import { onlyForward, upSection } from './migrations.ts'
import { compareNaturally } from './natural-order.ts'
import type { SqlFile } from './read-schema.ts'

/** The largest total size of the files in megabytes; in memory they take about 2.5 times as much. */
const MOST_MEGABYTES = 400

export interface ReadSqlOptions {
  readonly encoding?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the file, or all `*.sql` files of the folder and those below it, in the natural order of their paths: `V2` comes
 * before `V10`. Of migrations the way back is left out.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when a path cannot be read, there is no such file, or they are too large.
 */
export async function readSqlFiles(
  path: string,
  { encoding, signal }: ReadSqlOptions = {},
): Promise<readonly SqlFile[]> {
  const names = await listSqlFiles(path)
  if (names.length === 0) throw unreadable(path, 'no *.sql file in it')
  await assertReadable(path, names)
  const files: SqlFile[] = []
  for (const name of names) {
    signal?.throwIfAborted()
    files.push({ name, sql: upSection(await readText(name, encoding)) })
  }
  return files
}

async function assertReadable(path: string, names: readonly string[]): Promise<void> {
  let bytes = 0
  for (const name of names)
    bytes += await stat(name).then(
      ({ size }) => size,
      () => 0,
    ) // whoever reads it tells why not
  const megabytes = Math.ceil(bytes / 1e6)
  if (megabytes <= MOST_MEGABYTES) return
  const suggestion =
    'dump the schema without its rows, as pg_dump --schema-only, mysqldump --no-data and .schema of sqlite3 do'
  const most = `SQL files may have ${MOST_MEGABYTES} MB together`
  throw unreadable(path, `it is ${megabytes} MB, and ${most}`, undefined, suggestion)
}

async function listSqlFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = await listFolder(path, '', new Set())
    return onlyForward(names.toSorted(compareNaturally)).map((name) => join(path, name))
  } catch (error) {
    throw fileFailed(error, path)
  }
}

/** The scripts below a folder, with `/` in their paths. Links are followed, each folder once. */
async function listFolder(root: string, below: string, seen: Set<string>): Promise<readonly string[]> {
  const folder = join(root, below)
  const real = await realpath(folder)
  if (seen.has(real)) return []
  seen.add(real)
  const names: string[] = []
  for (const entry of await readdir(folder)) {
    const name = below === '' ? entry : `${below}/${entry}`
    const found = await stat(join(root, name)).catch(() => undefined) // a link to nowhere
    if (found?.isDirectory()) names.push(...(await listFolder(root, name, seen)))
    else if (entry.toLowerCase().endsWith('.sql')) names.push(name)
  }
  return names
}

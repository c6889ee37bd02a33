import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compareText } from '../compare-text.ts'
import { fileFailed, unreadable } from '../files/file-failed.ts'
import { readText } from '../files/read-text.ts'

export interface SqlFile {
  /** Its path, as far as it was given. */
  readonly name: string
  readonly sql: string
}

/**
 * The file, or all `*.sql` files of the folder and those below it, in the order of their paths.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when a path cannot be read or there is no such file.
 */
export async function readSqlFiles(path: string, signal?: AbortSignal): Promise<readonly SqlFile[]> {
  const names = await listSqlFiles(path)
  if (names.length === 0) throw unreadable(path, 'no *.sql file in it')
  const files: SqlFile[] = []
  for (const name of names) {
    signal?.throwIfAborted()
    files.push({ name, sql: await readText(name) })
  }
  return files
}

async function listSqlFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = await readdir(path, { recursive: true })
    const scripts = names.filter((name) => name.toLowerCase().endsWith('.sql'))
    return scripts.toSorted(compareText).map((name) => join(path, name))
  } catch (error) {
    throw fileFailed(error, path)
  }
}

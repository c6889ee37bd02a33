import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** More than that takes longer than reading them anew. */
const MOST_FILES = 200

/**
 * Changes when a file does, or a file in the folder: what was read of it then is old. Undefined where that cannot be told.
 */
export async function fileState(path: string): Promise<string | undefined> {
  try {
    const files = await filesOf(path)
    if (files.length > MOST_FILES) return undefined
    const states = await Promise.all(files.map(stateOf))
    return states.join('\n')
  } catch {
    // whoever opens it finds out what is wrong, and says so
    return undefined
  }
}

async function filesOf(path: string): Promise<readonly string[]> {
  const entry = await stat(path)
  if (!entry.isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  return names.toSorted().map((name) => join(path, name))
}

async function stateOf(file: string): Promise<string> {
  const { ino, mtimeNs, size } = await stat(file, { bigint: true })
  return `${file}:${ino}:${size}:${mtimeNs}`
}

import { stat } from 'node:fs/promises'

/** Returns a version that changes with the files; undefined if the first is not accessible. */
export async function fileVersion(path: string, ...beside: readonly string[]): Promise<string | undefined> {
  const [first, ...others] = await Promise.all([path, ...beside].map(markOf))
  return first === undefined ? undefined : [first, ...others.map((mark = '-') => mark)].join(' ')
}

async function markOf(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true })
    return `${ino}:${mtimeNs}:${size}`
  } catch {
    return undefined // the file does not exist
  }
}

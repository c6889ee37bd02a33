import { stat } from 'node:fs/promises'

/** Returns another text after every change of one of the files; undefined if the first cannot be seen. */
export async function fileVersion(path: string, ...beside: readonly string[]): Promise<string | undefined> {
  const [first, ...others] = await Promise.all([path, ...beside].map(markOf))
  return first === undefined ? undefined : [first, ...others.map((mark = '-') => mark)].join(' ')
}

async function markOf(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true })
    return `${ino}:${mtimeNs}:${size}`
  } catch {
    return undefined // it is not there, or is gone
  }
}

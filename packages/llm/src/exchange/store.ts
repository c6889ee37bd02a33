import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the path of the file for a key. */
export function exchangePath(folder: string, key: string): string {
  return join(folder, `${key}.json`)
}

/** Returns the JSON in a key's file; undefined without a file. */
export async function readStored(folder: string, key: string): Promise<unknown> {
  const text = await readFile(exchangePath(folder, key), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}

/** Writes a temporary file and renames it, so readers never see half a file and the last writer wins. */
export async function writeStored(folder: string, key: string, value: unknown): Promise<void> {
  const path = exchangePath(folder, key)
  const draft = `${path}.${randomUUID()}.tmp`
  await mkdir(folder, { recursive: true })
  try {
    await writeFile(draft, `${JSON.stringify(value, undefined, 2)}\n`, { flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Removes the file of a key, if there is one. */
export async function removeStored(folder: string, key: string): Promise<void> {
  await rm(exchangePath(folder, key), { force: true })
}

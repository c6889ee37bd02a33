import { type FileHandle, open, readFile, unlink, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

/** A private key as ssh can read it. */
export interface PushKey {
  readonly file: string
  readonly close: () => Promise<void>
}

/** Memory that looks like a folder, where the system has it. */
const MEMORY = '/dev/shm'

/**
 * Gives ssh a key by a file without a name, in memory where that can be had: ssh opens it through this process, with which
 * it is gone, however that ends. Where the system has no way to it, as macOS, it is a file in the folder of the push.
 */
export async function openKey(home: string, privateKey: string): Promise<PushKey> {
  // ssh refuses a key without a line end, which pasting loses.
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

/** Its name goes before anything is written to it. */
async function openNameless(folder: string): Promise<FileHandle | undefined> {
  const path = join(folder, `stagecraft-${randomUUID()}`)
  try {
    const handle = await open(path, 'wx+', 0o600)
    await unlink(path)
    return handle
  } catch {
    // The next place will do.
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
    // No room, or no way to open it once more.
    return false
  }
}

import { open, stat } from 'node:fs/promises'

/** Metadata stand first in a manifest, which as a whole may be hundreds of megabytes. */
const HEAD_BYTES = 65_536

/** The dbt that wrote a manifest; undefined when there is none, or it does not say. */
export async function readDbtVersion(file: string): Promise<string | undefined> {
  const head = await readHead(file)
  return /"dbt_version"\s*:\s*"([^"]+)"/.exec(head)?.[1]
}

async function readHead(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  const handle = found?.isFile() ? await open(file).catch(() => undefined) : undefined // a pipe may never open
  if (!handle) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

import { open, stat } from 'node:fs/promises'

/** The metadata come first in a manifest, which may have hundreds of megabytes. */
const HEAD_BYTES = 65_536

/** Returns the dbt version in a manifest; undefined without a manifest or version. */
export async function readDbtVersion(file: string): Promise<string | undefined> {
  const head = await readHead(file)
  return /"dbt_version"\s*:\s*"([^"]+)"/.exec(head)?.[1]
}

async function readHead(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  const handle = found?.isFile() ? await open(file).catch(() => undefined) : undefined // Opening a pipe may block forever.
  if (!handle) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

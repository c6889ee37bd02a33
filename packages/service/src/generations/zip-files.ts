import { setImmediate as pause } from 'node:timers/promises'
import type { GeneratedFile } from '@stagecraft/spec'
import { strToU8, Zip, ZipDeflate } from 'fflate'

/** The earliest that the format knows; a zip file has the time of wherever it is made, so that this is local. */
const EARLIEST = new Date(1980, 0, 1)

const FILES_PER_PAUSE = 100

/** The same files give the same bytes, whenever and wherever. */
export async function zipFiles(
  files: readonly Pick<GeneratedFile, 'path' | 'content'>[],
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  for (const [index, { content, path }] of files.entries()) {
    const entry = new ZipDeflate(path, { level: 6 })
    entry.mtime = EARLIEST
    zip.add(entry)
    entry.push(strToU8(content), true)
    if (index % FILES_PER_PAUSE === FILES_PER_PAUSE - 1) await pause()
  }
  zip.end()
  return Buffer.concat(chunks)
}

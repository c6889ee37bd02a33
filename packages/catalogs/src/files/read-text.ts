import { readFile } from 'node:fs/promises'
import { fileFailed } from './file-failed.ts'

/**
 * The text of a file: UTF-8, or UTF-16 when it begins with that byte order mark, as scripts of SQL Server do.
 *
 * @throws {StagecraftError} CONNECTION_FAILED that names the path and the reason.
 */
export async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path)
    const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
    return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes)
  } catch (error) {
    throw fileFailed(error, path)
  }
}

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes the content beside the file and answers the function that puts it in place, in one step that either
 * happens or does not. A content that cannot be written leaves nothing behind.
 */
export function writeBeside(file: string, content: string): () => void {
  const beside = `${file}.${process.pid}.tmp`
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(beside, content)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  return () => renameSync(beside, file)
}

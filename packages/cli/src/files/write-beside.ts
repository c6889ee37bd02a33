import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileFault } from './file-fault.ts'
import { makeFolder } from './make-folder.ts'

/** A content that waits beside its file. */
export interface Written {
  /** Puts it in place, in one step that either happens or does not. */
  readonly place: () => void
  /** Removes it. */
  readonly discard: () => void
}

/**
 * Writes the content beside the file.
 *
 * @throws {StagecraftError} INVALID_REQUEST when that cannot be; then nothing is left of it.
 */
export function writeBeside(file: string, content: string): Written {
  const beside = `${file}.${process.pid}.tmp`
  const discard = (): void => rmSync(beside, { force: true })
  try {
    makeFolder(dirname(file))
    writeFileSync(beside, content)
  } catch (error) {
    discard()
    throw fileFault(error, file)
  }
  return { place: () => renameSync(beside, file), discard }
}

/** Writes all contents beside their files, or none. */
export function writeAllBeside(
  contents: readonly (readonly [file: string, content: string])[],
): readonly Written[] {
  const written: Written[] = []
  try {
    for (const [file, content] of contents) written.push(writeBeside(file, content))
  } catch (error) {
    for (const { discard } of written) discard()
    throw error
  }
  return written
}

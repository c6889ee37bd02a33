import { closeSync, fchmodSync, openSync, readdirSync, truncateSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { printLine, readTranscript, type TranscriptLine } from '@stagecraft/assistant'
import { StagecraftError } from '@stagecraft/spec'
import { keepOutOfGit } from '../backend/keep-out-of-git.ts'
import { fileFault } from '../files/file-fault.ts'
import { makeFolder } from '../files/make-folder.ts'
import { ownPath } from '../files/own-path.ts'
import { readIfThere } from '../files/read-if-there.ts'

/** The folder for conversations of a project, readable only by their owner. */
const FOLDER = '.stagecraft/conversations'

export interface ChooseOptions {
  /** The folder of the dbt project. */
  readonly root: string
  /** Continues the newest one. */
  readonly followUp?: boolean
  /** Continues this one. */
  readonly conversation?: string
  /** A path that the user chose; false for none. */
  readonly transcript?: string | false
  readonly newId: () => string
}

/** A transcript that is written line by line. */
export interface TranscriptFile {
  readonly id: string
  /** The path; undefined if none is written. */
  readonly path: string | undefined
  /** The earlier lines. */
  readonly before: readonly TranscriptLine[]
  readonly write: (line: TranscriptLine) => void
}

/**
 * Opens the transcript of a conversation: a new one, or one to continue.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a missing conversation, and for a file that is not a transcript.
 */
export async function openTranscript(options: ChooseOptions): Promise<TranscriptFile> {
  const { conversation, followUp = false, newId, root, transcript } = options
  const folder = ownPath(FOLDER, { name: 'conversations', folder: root, environment: process.env })
  const path =
    typeof transcript === 'string'
      ? resolve(transcript)
      : conversation !== undefined || followUp
        ? await existing(folder, conversation)
        : undefined
  const text = path === undefined ? undefined : await readIfThere(path)
  const before = text === undefined ? [] : readTranscript(text, path ?? '')
  const [first] = before
  const id = first?.type === 'conversation' ? first.id : newId()
  if (transcript === false) return { id, path: undefined, before, write: () => undefined }
  const place = path ?? join(folder, `${id}.jsonl`)
  if (path === undefined) await keepOutOfGit(folder)
  else makeFolder(dirname(path))
  // A truncated last line must not swallow the next one.
  if (text !== undefined && !text.endsWith('\n'))
    truncateSync(place, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)))
  return { id, path: place, before, write: (line) => append(place, printLine(line)) }
}

async function existing(folder: string, id: string | undefined): Promise<string> {
  if (id !== undefined) {
    const path = join(folder, `${id}.jsonl`)
    if (/^conv_\w+$/.test(id) && (await readIfThere(path)) !== undefined) return path
    throw unknown('--conversation', 'the id of a conversation of this project', JSON.stringify(id))
  }
  const newest = listIfThere(folder)
    .filter((name) => /^conv_\w+\.jsonl$/.test(name))
    .toSorted()
    .at(-1)
  if (newest !== undefined) return join(folder, newest)
  throw unknown('--follow-up', 'a conversation to continue', 'none in this project')
}

function unknown(path: string, expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path, expected, received })
}

function listIfThere(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Restricts access to the owner, even for an existing file with other permissions. */
function append(path: string, text: string): void {
  try {
    const file = openSync(path, 'a', 0o600)
    try {
      fchmodSync(file, 0o600)
      writeSync(file, text)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw fileFault(error, path)
  }
}

import {
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { hashText } from '../lock/hashes.ts'
import { codeOf, moveFile, readIfThere, syncFolder, writeDurably } from './durable.ts'

/** A change of one file. */
export interface FileChange {
  /** Relative to the folder, with `/` between folders. */
  readonly path: string
  /** The expected text; undefined for no file. */
  readonly before: string | undefined
  /** The text to write; undefined to remove the file. */
  readonly after: string | undefined
}

/** The folder of state, which git ignores. */
export const STATE_FOLDER = '.stagecraft'
const APPLY = 'apply'
const UNDO = 'undo.json'
const JOURNAL = 'journal.json'

interface Step {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

interface Journal {
  readonly process: number
  /** SHA-256 of the texts; null for no file. */
  readonly steps: readonly Step[]
}

/** The record to undo the last changes. */
interface UndoRecord {
  /** The command that made them. @default apply, as earlier versions named every command */
  readonly command?: string
  /** True if an undo made them, so undoing repeats the command. @default false */
  readonly isUndone?: boolean
  readonly changes: readonly {
    readonly path: string
    readonly before: string | null
    readonly after: string | null
  }[]
}

export interface WriteChangesOptions {
  /** Keeps a record for `readUndo`. @default true */
  readonly undo?: boolean
  /** The name of the command, for `undo`. @default apply */
  readonly command?: string
  /** True if the changes undo those of the command. @default false */
  readonly isUndone?: boolean
}

/**
 * Writes all changes or none, in order. Everything is written to a side folder first; then one rename commits. If the
 * process dies after that, `recoverChanges` finishes the work.
 *
 * @param folder The folder of the project.
 * @throws {StagecraftError} INVALID_REQUEST if a file differs from what was expected, if another process is writing,
 * or if the disk fails; nothing is changed then.
 */
export function writeChanges(
  folder: string,
  changes: readonly FileChange[],
  { command = 'apply', isUndone = false, undo = true }: WriteChangesOptions = {},
): void {
  recoverChanges(folder)
  const needed = changes.filter(({ after, before }) => after !== before)
  if (needed.length === 0) return
  assertInside(folder, needed)
  assertAsExpected(folder, needed)
  assertWritable(folder, needed)
  const state = stateFolder(folder)
  const own = join(state, `${APPLY}.${process.pid}`)
  try {
    stage(own, needed, undo ? { command, ...(isUndone && { isUndone }) } : undefined)
    makeFolders(folder, needed)
    commitJournal(own, join(state, APPLY))
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    throw asFault(error)
  }
  assertStill(folder, needed, join(state, APPLY))
  finishChanges(folder)
}

/** The committed changes of a process that died before it finished them. */
export interface InterruptedChanges {
  readonly command: string
  /** The texts of the files when they are finished; undefined for a removed file. */
  readonly texts: ReadonlyMap<string, string | undefined>
}

/**
 * Finishes the committed changes of a dead process, and removes uncommitted ones. Does nothing otherwise.
 *
 * @returns The changes that it finished; undefined if there were none.
 * @throws {StagecraftError} INVALID_REQUEST while another process is writing, or if a file was changed since.
 */
export function recoverChanges(folder: string): InterruptedChanges | undefined {
  const state = join(folder, STATE_FOLDER)
  if (!existsSync(state)) return undefined
  for (const name of readdirSync(state)) {
    const [, id] = /^apply\.(\d+)$/.exec(name) ?? []
    if (id !== undefined && !isAlive(Number(id))) rmSync(join(state, name), { recursive: true, force: true })
  }
  const interrupted = readInterrupted(folder)
  if (interrupted) finishChanges(folder)
  else rmSync(join(state, APPLY), { recursive: true, force: true })
  return interrupted
}

/**
 * Reads the committed changes of a dead process, and writes nothing. Undefined if there are none.
 *
 * @throws {StagecraftError} INVALID_REQUEST while another process is writing, or if a file was changed since.
 */
export function readInterrupted(folder: string): InterruptedChanges | undefined {
  const shared = join(folder, STATE_FOLDER, APPLY)
  const journal = readJournal(shared)
  if (!journal) return undefined
  if (journal.process !== process.pid && isAlive(journal.process))
    throw refusal('another stagecraft is writing to this project; wait for it to end', [])
  const changed = journal.steps.filter(
    ({ after, before, path }) => ![after, before].includes(hashAt(folder, path)),
  )
  if (changed.length > 0) {
    const what = `a stagecraft process died halfway, and these files were changed since; restore them, or delete ${STATE_FOLDER}/${APPLY}`
    throw refusal(
      what,
      changed.map(({ path }) => path),
    )
  }
  const { command = 'apply' } = JSON.parse(readIfThere(join(shared, UNDO)) ?? '{}') as Partial<UndoRecord>
  const texts = journal.steps.map(({ after, path }, index) => {
    const text = readIfThere(join(shared, `${index}.txt`)) ?? readIfThere(join(folder, path))
    return [path, after === null ? undefined : text] as const
  })
  return { command, texts: new Map(texts) }
}

/** The changes that undo the last ones. */
export interface Undo {
  /** The command of the last changes. */
  readonly command: string
  /** True if an undo made the last changes, so these repeat the command. */
  readonly isUndone: boolean
  readonly changes: readonly FileChange[]
}

/**
 * Returns the changes that undo the last ones; undefined if there is nothing to undo.
 *
 * @throws {StagecraftError} INVALID_REQUEST if a file was changed since.
 */
export function readUndo(folder: string): Undo | undefined {
  const text = readIfThere(join(folder, STATE_FOLDER, UNDO))
  if (text === undefined) return undefined
  const { changes, command = 'apply', isUndone = false } = JSON.parse(text) as UndoRecord
  const changed = changes.filter(({ after, path }) => hashAt(folder, path) !== after)
  if (changed.length > 0)
    throw refusal(
      `these files were changed since the last ${isUndone ? 'undo' : command}, so it is not undone`,
      changed.map(({ path }) => path),
    )
  const back = changes.map(({ before, path }) => ({
    path,
    before: readIfThere(join(folder, path)),
    after: before ?? undefined,
  }))
  return { command, isUndone, changes: back }
}

/** Returns the folder of state, which git ignores. */
export function stateFolder(folder: string): string {
  const state = join(folder, STATE_FOLDER)
  const ignored = join(state, '.gitignore')
  mkdirSync(state, { recursive: true })
  if (!existsSync(ignored)) writeFileSync(ignored, IGNORED)
  return state
}

/** Ignores everything but recordings and other files that people keep there. */
const IGNORED = '/.gitignore\n/base/\n/apply*/\n/undo.json\n'

/**
 * Writes everything needed to finish into a separate folder.
 *
 * @param record Names the changes in the undo record; without it there is no record.
 */
function stage(
  own: string,
  changes: readonly FileChange[],
  record: Omit<UndoRecord, 'changes'> | undefined,
): void {
  rmSync(own, { recursive: true, force: true })
  for (const [index, { after }] of changes.entries())
    if (after !== undefined) writeDurably(join(own, `${index}.txt`), after)
  const steps = changes.map(({ after, before, path }) => ({
    path,
    before: hashOf(before),
    after: hashOf(after),
  }))
  const undo = changes.map(({ after, before, path }) => ({
    path,
    before: before ?? null,
    after: hashOf(after),
  }))
  if (record) writeDurably(join(own, UNDO), JSON.stringify({ ...record, changes: undo } satisfies UndoRecord))
  writeDurably(join(own, JOURNAL), JSON.stringify({ process: process.pid, steps } satisfies Journal))
  syncFolder(own)
}

function makeFolders(folder: string, changes: readonly FileChange[]): void {
  for (const { after, path } of changes)
    if (after !== undefined) mkdirSync(dirname(join(folder, path)), { recursive: true })
}

/** One rename commits: a folder that is not empty is never replaced, so only one process succeeds. */
function commitJournal(own: string, shared: string): void {
  try {
    renameSync(own, shared)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error))) throw error
    throw refusal('another stagecraft is writing to this project; wait for it to end', [])
  }
  syncFolder(dirname(shared))
}

/** Another process may have written since the first check. */
function assertStill(folder: string, changes: readonly FileChange[], shared: string): void {
  try {
    assertAsExpected(folder, changes)
  } catch (error) {
    rmSync(shared, { recursive: true, force: true })
    throw error
  }
}

/** Links may lead anywhere, and the project may be untrusted: nothing outside of it is written. */
function assertInside(folder: string, changes: readonly FileChange[]): void {
  const root = realpathSync(folder)
  const paths = [...changes.map(({ path }) => path), STATE_FOLDER]
  const outside = paths.filter((path) => {
    const way = relative(root, realPlace(join(folder, path)))
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  })
  if (outside.length > 0)
    throw refusal(
      'these files are links out of the project; replace the links by the files, or run stagecraft where the files are',
      outside,
    )
}

/** Resolves the links in the existing part of a path. */
function realPlace(path: string): string {
  const link = linkAt(path)
  if (link?.isSymbolicLink() && !existsSync(path))
    return realPlace(resolve(dirname(path), readlinkSync(path)))
  if (link) return realpathSync(path)
  return path === dirname(path) ? path : join(realPlace(dirname(path)), basename(path))
}

/** Undefined if nothing is there, or if a file is in place of a folder; writing reports that. */
function linkAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined
    throw error
  }
}

function assertAsExpected(folder: string, changes: readonly FileChange[]): void {
  const other = changes.filter(({ before, path }) => readIfThere(join(folder, path)) !== before)
  if (other.length > 0)
    throw refusal(
      'the plan is stale, because these files changed since it was made; plan again',
      other.map(({ path }) => path),
    )
}

/** A rename would replace read-only files. */
function assertWritable(folder: string, changes: readonly FileChange[]): void {
  const readOnly = changes.filter(({ path }) => {
    const stats = statSync(join(folder, path), { throwIfNoEntry: false })
    return stats !== undefined && (stats.mode & constants.S_IWUSR) === 0
  })
  if (readOnly.length > 0)
    throw refusal(
      'these files are read-only; make them writable first (chmod u+w)',
      readOnly.map(({ path }) => path),
    )
}

/** Executes the journal; finished steps are skipped. */
function finishChanges(folder: string): void {
  const shared = join(folder, STATE_FOLDER, APPLY)
  const steps = readJournal(shared)?.steps ?? []
  for (const [index, { after, path }] of steps.entries()) {
    const [staged, target] = [join(shared, `${index}.txt`), join(folder, path)]
    if (after === null) rmSync(target, { force: true })
    else if (existsSync(staged)) place(staged, target)
  }
  for (const touched of new Set(steps.map(({ path }) => dirname(join(folder, path)))))
    if (existsSync(touched)) syncFolder(touched)
  const undo = join(shared, UNDO)
  if (existsSync(undo)) moveFile(undo, join(folder, STATE_FOLDER, UNDO))
  rmSync(join(shared, JOURNAL), { force: true })
  rmSync(shared, { recursive: true, force: true })
}

/** Replaces a file; links to it and its permissions stay. */
function place(staged: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  const real = existsSync(target) ? realpathSync(target) : target
  if (existsSync(real)) chmodSync(staged, statSync(real).mode)
  moveFile(staged, real)
}

function readJournal(shared: string): Journal | undefined {
  const text = readIfThere(join(shared, JOURNAL))
  return text === undefined ? undefined : (JSON.parse(text) as Journal)
}

function hashOf(text: string | undefined): string | null {
  return text === undefined ? null : hashText(text)
}

function hashAt(folder: string, path: string): string | null {
  return hashOf(readIfThere(join(folder, path)))
}

export function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function refusal(what: string, files: readonly string[]): StagecraftError {
  const shown = files
    .slice(0, 10)
    .map((path) => `\n  ${path}`)
    .join('')
  const more = files.length > 10 ? `\n  and ${files.length - 10} more` : ''
  return new StagecraftError(
    'INVALID_REQUEST',
    `nothing was written: ${what}${shown && ':'}${shown}${more}`,
    {
      details: { files },
    },
  )
}

/** Converts a disk error to one with a remedy. */
function asFault(error: unknown): unknown {
  const code = codeOf(error)
  if (error instanceof StagecraftError || code === '') return error
  const message = error instanceof Error ? error.message : code
  return new StagecraftError(
    'INVALID_REQUEST',
    `nothing was written: the disk reports ${message}; check permissions and space`,
    {
      cause: error,
    },
  )
}

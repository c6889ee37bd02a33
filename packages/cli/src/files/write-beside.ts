import {
  chmodSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { fileFault, fileReason } from './file-fault.ts'
import { makeFolder } from './make-folder.ts'

/** A content in a temporary file beside its target. */
export interface Written {
  /** Moves it into place atomically. */
  readonly place: () => void
  /** Removes it. */
  readonly discard: () => void
}

/**
 * Writes the content to a temporary file beside the target. An existing file keeps its mode, and a link stays a link.
 * Pipes and devices are written to when the content is moved into place.
 *
 * @throws {StagecraftError} INVALID_REQUEST if that fails; the temporary file is removed then.
 */
export function writeBeside(file: string, content: string): Written {
  try {
    const present = statSync(file, { throwIfNoEntry: false })
    if (present?.isDirectory()) throw unwritable(file, 'there is a folder of that name')
    if (present && (!present.isFile() || isOfSystem(file)))
      return { place: () => writeThrough(file, content), discard: () => undefined }
    if (present && (present.mode & constants.S_IWUSR) === 0)
      throw unwritable(file, 'it is read-only; make it writable first (chmod u+w)')
    return stage(file, content, present)
  } catch (error) {
    throw fileFault(error, file)
  }
}

/**
 * Writes the output of a command to the file that a flag names, in an existing folder.
 *
 * @param flag The name of the flag: `--output`.
 * @throws {StagecraftError} INVALID_REQUEST that names the flag if that fails; the temporary file is removed then.
 */
export function writeOutput(flag: string, file: string, content: string): void {
  const fail = (reason: string, cause?: unknown): StagecraftError => {
    const [path, expected] = [flag.replace(/^--/, ''), 'a file to write, in an existing folder']
    return new StagecraftError(
      'INVALID_REQUEST',
      `${flag}: expected ${expected}, got ${JSON.stringify(file)}: ${reason}`,
      { cause, details: { faults: [{ path, expected, received: reason }] } },
    )
  }
  if (file.trim() === '') throw fail('the text is empty')
  if (file.endsWith('/')) throw fail('it names a folder')
  const folder = dirname(realPlace(resolve(file)))
  const lack = isOfSystem(file) ? undefined : lackOf(folder)
  if (lack !== undefined) throw fail(lack)
  try {
    writeBeside(resolve(file), content).place()
  } catch (error) {
    const cause = error instanceof StagecraftError ? error.cause : error
    const reason = fileReason(cause) ?? (error instanceof StagecraftError ? receivedOf(error) : undefined)
    throw reason === undefined ? error : fail(reason, error)
  }
}

/** Returns the reason why a path cannot contain files; undefined for a folder. */
function lackOf(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? undefined : `${folder} is not a folder`
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return `there is no folder ${folder}; create it first`
    const reason = fileReason(error)
    if (reason === undefined) throw error
    return reason
  }
}

function receivedOf({ cause, details }: StagecraftError): string | undefined {
  return cause === undefined ? details?.faults?.[0]?.received : undefined
}

/** Resolves links in the existing part of a path. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error)) || path === dirname(path)) return path
    const target = linkOf(path)
    if (target !== undefined) return realPlace(resolve(dirname(path), target))
    return join(realPlace(dirname(path)), basename(path))
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Returns true for a file of the system, such as the target of `/dev/stdout`, which other processes have open. */
function isOfSystem(file: string): boolean {
  return /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/.test(resolve(file))
}

function stage(file: string, content: string, present: Stats | undefined): Written {
  const target = realPlace(resolve(file))
  const beside = `${target}.${process.pid}.tmp`
  const discard = (): void => rmSync(beside, { force: true })
  makeFolder(dirname(target))
  sweep(target)
  try {
    writeFileSync(beside, content, { flag: 'wx', ...(present && { mode: 0o600 }) })
    if (present) chmodSync(beside, present.mode & 0o7777)
  } catch (error) {
    discard()
    throw error
  }
  const place = (): void => {
    try {
      renameSync(beside, target)
    } catch (error) {
      discard()
      throw fileFault(error, file)
    }
  }
  return { place, discard }
}

/** Removes the temporary files of dead processes, and this process's own. */
function sweep(target: string): void {
  const start = `${basename(target)}.`
  for (const name of readdirSync(dirname(target))) {
    const id = name.startsWith(start) ? /^(\d+)\.tmp$/.exec(name.slice(start.length))?.[1] : undefined
    if (id === undefined || (Number(id) !== process.pid && isAlive(Number(id)))) continue
    rmSync(join(dirname(target), name), { force: true })
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function writeThrough(file: string, content: string): void {
  try {
    const handle = openSync(file, constants.O_WRONLY | constants.O_APPEND)
    try {
      writeFileSync(handle, content)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    throw fileFault(error, file)
  }
}

function unwritable(file: string, received: string): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', `${file}: expected a file to write, but ${received}`, {
    details: { faults: [{ path: file, expected: 'a file to write', received }] },
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { codeOf, readIfThere } from './durable.ts'
import { isAlive, STATE_FOLDER, stateFolder } from './write-changes.ts'

/** The lock is a folder, because creating one is atomic, and because git already ignores it. */
const HOLD = 'apply.hold'
const OWNER = 'owner.json'

interface Owner {
  readonly process: number
  readonly host: string
}

/**
 * Locks a project against planning and writing by other processes until the returned function is called. The lock of
 * a dead process is taken over.
 *
 * @param folder The folder of the project, which may be new. If nothing was written, it is removed again.
 * @throws {StagecraftError} INVALID_REQUEST while another process holds the lock.
 */
export function lockProject(folder: string): () => void {
  const firstMade = mkdirSync(folder, { recursive: true })
  const isNew = !existsSync(join(folder, STATE_FOLDER))
  const state = stateFolder(folder)
  const place = join(state, HOLD)
  if (!tryMake(place)) {
    refuseLiving(place)
    rmSync(place, { recursive: true, force: true })
    if (!tryMake(place)) refuseLiving(place)
  }
  writeFileSync(
    join(place, OWNER),
    JSON.stringify({ process: process.pid, host: hostname() } satisfies Owner),
  )
  return () => {
    rmSync(place, { recursive: true, force: true })
    const isBare = isNew && readdirSync(state).every((name) => name === '.gitignore')
    if (isBare) rmSync(state, { recursive: true, force: true })
    if (isBare && firstMade !== undefined) removeEmpty(folder, firstMade)
  }
}

/** Removes a folder and the folders above it, up to the last one, as long as they are empty. */
function removeEmpty(folder: string, last: string): void {
  if (readdirSync(folder).length > 0) return
  rmdirSync(folder)
  if (folder !== last) removeEmpty(dirname(folder), last)
}

function tryMake(place: string): boolean {
  try {
    mkdirSync(place)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** @throws {StagecraftError} If the owner is alive, or on another machine, where that is unknown. */
function refuseLiving(place: string): void {
  const owner = readOwner(place)
  if (owner && owner.host === hostname() && (owner.process === process.pid || !isAlive(owner.process))) return
  const who =
    owner === undefined
      ? 'another stagecraft'
      : `another stagecraft (process ${owner.process} on ${owner.host})`
  throw new StagecraftError(
    'INVALID_REQUEST',
    `nothing was written: ${who} is writing to this project; wait for it to end, or delete ${STATE_FOLDER}/${HOLD} if no such process runs`,
    { details: { files: [`${STATE_FOLDER}/${HOLD}`] } },
  )
}

/** Undefined briefly, between creating the folder and writing the file. */
function readOwner(place: string): Owner | undefined {
  try {
    return JSON.parse(readIfThere(join(place, OWNER)) ?? '') as Owner
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { codeOf, readIfThere } from './durable.ts'
import { isAlive, STATE_FOLDER, stateFolder } from './write-changes.ts'

/** A folder, because making one decides who was first, and because git is told already not to see it. */
const HOLD = 'apply.hold'
const OWNER = 'owner.json'

interface Owner {
  readonly process: number
  readonly host: string
}

/**
 * Keeps other processes from planning for and writing to a project until the answer is called. A hold of a process that
 * died is taken over.
 *
 * @param folder The folder of the project.
 * @throws {StagecraftError} INVALID_REQUEST while another process has it.
 */
export function holdProject(folder: string): () => void {
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
  }
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

/** @throws {StagecraftError} When the owner lives, or is on another machine, where nobody here can tell. */
function refuseLiving(place: string): void {
  const owner = readOwner(place)
  if (owner && owner.host === hostname() && (owner.process === process.pid || !isAlive(owner.process))) return
  const who =
    owner === undefined
      ? 'another stagecraft'
      : `another stagecraft (process ${owner.process} on ${owner.host})`
  throw new StagecraftError(
    'INVALID_REQUEST',
    `nothing was written: ${who} is writing to this project; wait for it to end, or delete ${STATE_FOLDER}/${HOLD} if there is none`,
    { details: { files: [`${STATE_FOLDER}/${HOLD}`] } },
  )
}

/** Undefined for a moment, between making the folder and writing the file. */
function readOwner(place: string): Owner | undefined {
  try {
    return JSON.parse(readIfThere(join(place, OWNER)) ?? '') as Owner
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

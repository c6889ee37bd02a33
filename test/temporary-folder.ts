import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * Where tests put their files: in memory where TMPDIR says nothing and 4 GB of it are free for files that may be run, since
 * stores, clones and warehouses wait for a disk thousands of times.
 */
export function temporaryFolder(): string {
  const isChosen = process.env['TMPDIR'] !== undefined
  return isChosen || !existsSync(MEMORY) || !hasRoom() || !runsPrograms() ? tmpdir() : MEMORY
}

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= NEEDED_BYTES
}

function runsPrograms(): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  const [, , , options = 'noexec'] = mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? []
  return !options.split(',').includes('noexec')
}

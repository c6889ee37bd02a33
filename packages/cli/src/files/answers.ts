import type { AnswerStore, ResultRow } from '@stagecraft/core/inference'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepOutOfGit } from '../backend/keep-out-of-git.ts'

/** Answers that nobody has asked for since are removed. */
const KEPT_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

export interface OpenAnswersOptions {
  /** The address of the catalog: answers of two databases are kept apart. */
  readonly address: string
  /** Reads nothing that is kept, and keeps the new answers. */
  readonly fresh: boolean
}

/**
 * Opens the answers of a warehouse: one file each in `.stagecraft/cache/profiles`, for its owner alone. They hold what a
 * profile holds, and neither addresses nor statements. Where nothing can be written, nothing is kept.
 */
export async function openAnswers(
  folder: string,
  { address, fresh }: OpenAnswersOptions,
): Promise<AnswerStore> {
  const cache = join(folder, '.stagecraft', 'cache')
  const place = join(cache, 'profiles')
  await removeOld(place).catch(() => {}) // it is not there yet, or is somebody else's
  const fileOf = (key: string): string => join(place, `${hash([withoutPassword(address), key])}.json`)
  return {
    async read(key) {
      if (fresh) return undefined
      const file = fileOf(key)
      const rows = parseRows(await readFile(file, 'utf8').catch(() => ''))
      if (rows) await stamp(file).catch(() => {})
      return rows
    },
    async write(key, rows) {
      const file = fileOf(key)
      const beside = `${file}.${process.pid}.tmp`
      try {
        await keepOutOfGit(cache)
        await mkdir(place, { recursive: true, mode: 0o700 })
        await writeFile(beside, JSON.stringify(rows, plain), { mode: 0o600 })
        await stamp(beside)
        await rename(beside, file)
      } catch {
        await rm(beside, { force: true }).catch(() => {}) // a read-only or full disk: the next run asks again
      }
    },
  }
}

/** Drivers give large whole numbers as bigint. */
function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function parseRows(text: string): readonly ResultRow[] | undefined {
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) && rows.every(isRow) ? rows : undefined
  } catch {
    return undefined // none, or a file that was cut short
  }
}

function isRow(value: unknown): value is ResultRow {
  return typeof value === 'object' && value !== null
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** The user stays: rows may be hidden from some. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}

/** Gives a file the time of this process, which the age is counted by: a disk elsewhere may have a clock of its own. */
async function stamp(file: string): Promise<void> {
  const now = new Date()
  await utimes(file, now, now)
}

async function removeOld(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const file = join(place, name)
    if ((await stat(file)).mtimeMs < Date.now() - KEPT_DAYS * DAY_MS) await rm(file, { force: true })
  }
}

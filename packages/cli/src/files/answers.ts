import type { AnswerStore, ResultRow } from '@stagecraft/core/inference'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepOutOfGit } from '../backend/keep-out-of-git.ts'

/** The time after which unused answers are deleted. */
const KEPT_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

export interface OpenAnswersOptions {
  /** The address of the catalog, which keeps answers of two databases apart. */
  readonly address: string
  /** Ignores stored answers, and stores new ones. */
  readonly fresh: boolean
}

/**
 * Opens the stored answers of a warehouse: one file each in `.stagecraft/cache/profiles`, readable only by its owner.
 * They contain the same data as a profile, but no addresses or statements. If writing fails, nothing is stored.
 */
export async function openAnswers(
  folder: string,
  { address, fresh }: OpenAnswersOptions,
): Promise<AnswerStore> {
  const cache = join(folder, '.stagecraft', 'cache')
  const place = join(cache, 'profiles')
  await removeOld(place).catch(() => {}) // The folder does not exist yet, or belongs to someone else.
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
        await rm(beside, { force: true }).catch(() => {}) // The disk is read-only or full. The next run queries again.
      }
    },
  }
}

/** Drivers return large whole numbers as bigint. */
function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function parseRows(text: string): readonly ResultRow[] | undefined {
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) && rows.every(isRow) ? rows : undefined
  } catch {
    return undefined // No file, or a truncated one.
  }
}

function isRow(value: unknown): value is ResultRow {
  return typeof value === 'object' && value !== null
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Keeps the user in the key, because rows may be hidden from some users. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}

/**
 * Sets the time of a file to this process's clock, which also measures its age. A remote disk may have another clock.
 */
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

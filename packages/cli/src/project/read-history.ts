import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { HistoryEntry } from '@stagecraft/analysis/report'
import { compareText, StagecraftError } from '@stagecraft/spec'
import { readIfThere } from '../files/read-if-there.ts'

/**
 * Reads earlier JSON reports: named files in the given order, files of a folder by name.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a missing path, and for a file that is not a report.
 */
export async function readHistory(paths: readonly string[]): Promise<readonly HistoryEntry[]> {
  return Promise.all(paths.flatMap(filesOf).map(readEntry))
}

function filesOf(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw fault('a file or folder', `${path}, which does not exist`)
  if (!stats.isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => name.endsWith('.json'))
  return names.toSorted(compareText).map((name) => join(path, name))
}

async function readEntry(file: string): Promise<HistoryEntry> {
  const data = parse((await readIfThere(file)) ?? '')
  const [summary, score] = [data['summary'], data['score']].map(asMap)
  const numbers = {
    score: score?.['total'],
    error: summary?.['error'],
    warning: summary?.['warning'],
    info: summary?.['info'],
  }
  if (!isNumbers(numbers) || numbers.score < 0 || numbers.score > 100)
    throw fault('reports written by lint --format json', `${file}, which is not one`)
  return { label: basename(file, '.json'), ...numbers }
}

type Numbers = Pick<HistoryEntry, 'score' | 'error' | 'warning' | 'info'>

function isNumbers(values: Readonly<Record<keyof Numbers, unknown>>): values is Numbers {
  return Object.values(values).every((value) => typeof value === 'number')
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return asMap(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function fault(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: '--history', expected, received })
}

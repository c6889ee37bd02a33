import { StagecraftError } from '@stagecraft/spec'
import { open, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { isFolder } from './export/read-files.ts'
import { assertPlainPath } from './files/assert-plain-path.ts'
import { fileFailed } from './files/file-failed.ts'
import { FORMS } from './forms.ts'

/**
 * Names what a folder holds: the artifacts of dbt, results of `stagecraft export`, data files or SQL files. Returns
 * `columns:results/` for `results/`. Every other text is unchanged, and so is a project of dbt.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a folder that is missing or cannot be read; INVALID_REQUEST for one
 * with none of these.
 */
export async function nameFolder(text: string): Promise<string> {
  const isNamed = /^[a-z][a-z\d+.-]+:/i.test(text) || text === '' || hasEnding(text)
  if (isNamed || !(/[/\\]$/.test(text) || (await isFolder(text)))) return text
  const names = await readdir(text, { recursive: true }).catch((error: unknown) => {
    throw fileFailed(error, text)
  })
  if (names.includes('dbt_project.yml')) return text // its seeds and models are no raw tables
  return `${await schemeOf(names, text)}:${text}`
}

function hasEnding(text: string): boolean {
  const lower = text.toLowerCase()
  return FORMS.some(({ endings = [] }) => endings.some((ending) => lower.endsWith(ending)))
}

async function schemeOf(names: readonly string[], folder: string): Promise<string> {
  const endings = new Set(names.map((name) => extname(name).toLowerCase()))
  const result = names.find((name) => /\.(?:csv|tsv|json|jsonl|ndjson)$/i.test(name))
  if (names.includes('manifest.json')) return 'dbt'
  if (result !== undefined && /table_name/i.test(await readBeginning(join(folder, result)))) return 'columns'
  if (['.parquet', '.csv', '.tsv'].some((ending) => endings.has(ending))) return 'duckdb'
  if (endings.has('.sql')) return 'ddl'
  throw StagecraftError.invalid({
    path: 'catalog',
    expected:
      'a folder with manifest.json, results of stagecraft export, data files (.parquet, .csv, .tsv) or .sql files',
    received: `${folder} with none of these`,
  })
}

/** Headers are within it; a file of data may be larger than the memory. */
const BEGINNING_BYTES = 65_536

async function readBeginning(path: string): Promise<string> {
  await assertPlainPath(path)
  const file = await open(path).catch((error: unknown) => {
    throw fileFailed(error, path)
  })
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(BEGINNING_BYTES) })
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { isFolder } from './export/read-files.ts'
import { FORMS } from './forms.ts'

/**
 * Names what a folder holds: the artifacts of dbt, results of `stagecraft export`, data files or SQL files. Returns
 * `columns:results/` for `results/`. Every other text is unchanged, and so is a folder with none of these, and a project of dbt.
 */
export async function nameFolder(text: string): Promise<string> {
  const isNamed = /^[a-z][a-z\d+.-]+:/i.test(text) || text === '' || hasEnding(text)
  if (isNamed || !(await isFolder(text))) return text
  const names = await readdir(text, { recursive: true })
  const scheme = await schemeOf(names, text)
  return scheme === undefined ? text : `${scheme}:${text}`
}

function hasEnding(text: string): boolean {
  const lower = text.toLowerCase()
  return FORMS.some(({ endings = [] }) => endings.some((ending) => lower.endsWith(ending)))
}

async function schemeOf(names: readonly string[], folder: string): Promise<string | undefined> {
  if (names.includes('dbt_project.yml')) return undefined // its seeds and models are no raw tables
  const endings = new Set(names.map((name) => extname(name).toLowerCase()))
  const result = names.find((name) => /\.(?:csv|tsv|json|jsonl|ndjson)$/i.test(name))
  if (names.includes('manifest.json')) return 'dbt'
  if (result !== undefined && /table_name/i.test(await readFile(join(folder, result), 'latin1')))
    return 'columns'
  if (['.parquet', '.csv', '.tsv'].some((ending) => endings.has(ending))) return 'duckdb'
  return endings.has('.sql') ? 'ddl' : undefined
}

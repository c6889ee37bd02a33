import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  chooseRules,
  findRule,
  lint,
  type LintProject,
  type Report,
  readLintProject,
  type Rule,
} from '@stagecraft/analysis'
import { parseConfig } from '@stagecraft/core'
import { LOCK_FILE, lockKey, memoryTree, printLock } from '@stagecraft/dbt'
import type { Table } from '@stagecraft/spec'

export type Files = Readonly<Record<string, string>>

/** The files of a folder by path, without what a test expects of them. */
export function readFiles(folder: string): Files {
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')] as const)
      .filter(([path]) => path !== 'findings.txt')
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** The files after changes; those that are moved away are gone. */
export function withChanges(
  files: Files,
  changes: readonly { readonly path: string; readonly after: string | undefined }[],
): Files {
  const all = new Map(Object.entries(files))
  for (const { after, path } of changes) {
    if (after === undefined) all.delete(path)
    else all.set(path, after)
  }
  return Object.fromEntries(all)
}

const RAW_FILES = ['raw-tables.json', 'former-tables.json'] as const

/**
 * Reads the files of a project, with its `stagecraft.yml`; one without `dbt_project.yml` is called shop. `raw-tables.json` are
 * the tables of a catalog, and `former-tables.json` those of `stagecraft.lock`, by `source.table`.
 */
export function readFilesAsProject(files: Files): Promise<LintProject> {
  const text = files['stagecraft.yml'] ?? ''
  const { lint: settings } = parseConfig(text, 'stagecraft.yml')
  const [raw, former] = RAW_FILES.map((path) => files[path])
  const own = Object.entries(files).filter(([path]) => !RAW_FILES.some((one) => one === path))
  const tree = {
    'dbt_project.yml': 'name: shop\n',
    ...(former !== undefined && { [LOCK_FILE]: printFormer(former) }),
    ...Object.fromEntries(own),
  }
  return readLintProject(memoryTree(tree), {
    ignore: { path: 'stagecraft.yml', text, settings: settings?.ignore ?? [] },
    structure: true,
    artifacts: true,
    ...(raw !== undefined && { tables: JSON.parse(raw) as readonly Table[] }),
  })
}

/** A lock of DuckDB with tables as they were. */
export function printFormer(text: string): string {
  const tables = Object.entries(JSON.parse(text) as Readonly<Record<string, Table>>)
  const hash = 'a'.repeat(64)
  return printLock(
    new Map(
      tables.map(([name, table]) => {
        const [source = '', own = ''] = name.split('.')
        const request = { type: 'staging' as const, source: `raw.${name}` }
        const locked = {
          item: { request, table },
          revision: 1,
          dialect: 'duckdb' as const,
          generator: '0.1.0',
          settings: 'a',
          model: {
            path: `models/staging/stg_${source}__${own}.sql`,
            sha256: hash,
            name: `stg_${source}__${own}`,
          },
          properties: undefined,
          source: { path: 'models/staging/sources.yml', sha256: hash, name: source, table: own },
        }
        return [lockKey(locked.item), locked] as const
      }),
    ),
  )
}

/** Checks files by the rules that are on, and by one more. */
export async function lintFiles(files: Files, rule?: Rule): Promise<Report> {
  const severities = rule ? { [rule.id]: rule.severity } : {}
  return lint(await readFilesAsProject(files), { rules: chooseRules({ severities }), findRule })
}

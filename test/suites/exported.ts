import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog, printExport } from '../../packages/catalogs/src/index.ts'
import type { Row } from '../../packages/catalogs/src/warehouse/statement.ts'
import type { Catalog, DialectName } from '../../packages/spec/src/index.ts'

interface ExportOptions {
  readonly dialect: DialectName
  readonly database?: string
  readonly schemas: readonly string[]
}

/** Runs the printed statements of schemas, writes each result as CSV or JSON, and opens the folder of them. */
export async function openExport(
  { database, dialect, schemas }: ExportOptions,
  run: (sql: string) => Promise<readonly Row[]>,
): Promise<Catalog> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-exported-'))
  try {
    for (const [index, schema] of schemas.entries()) {
      mkdirSync(join(folder, schema))
      const printed = await printExport([{ database, schema }], dialect)
      const [ending, print] = index === 0 ? ['csv', toCsv] : ['json', JSON.stringify]
      for (const { name, text } of printed)
        writeFileSync(join(folder, schema, `${name}.${ending}`), print(await run(text)))
    }
    return await openCatalog(`columns:${folder}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function toCsv(rows: readonly Row[]): string {
  const headers = Object.keys(rows[0] ?? {})
  const cell = (value: unknown): string =>
    value === null
      ? ''
      : `"${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('"', '""')}"`
  const lines = rows.map((row) => headers.map((header) => cell(row[header])).join(','))
  return [headers.join(','), ...lines].join('\n')
}

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { generateProject } from '@stagecraft/core'
import { expect } from 'vitest'
import { type Dbt, runDbt, writeProject } from './dbt.ts'
import { testWithDbt } from './with-dbt.ts'

/** Two tables whose tests dbt would call the same: model and column are joined with one underscore. */
const ITEMS = [
  { table: 'fees', column: 'taxes_amount_cents' },
  { table: 'fees_taxes', column: 'amount_cents' },
].map(({ column, table }) => ({
  request: { type: 'staging', source: `shop.${table}`, options: { addTests: true } } as const,
  table: {
    schema: 'shop',
    name: table,
    columns: [
      { name: 'id', type: 'integer', nullable: false },
      { name: column, type: 'text', nullable: false },
    ],
    primaryKey: ['id'],
  },
}))

async function keepsTestsApart(dbt: Dbt): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stagecraft-test-names-'))
  try {
    await writeProject(folder, { type: 'duckdb', path: join(folder, 'warehouse.duckdb') })
    const { files } = generateProject(ITEMS, { dialect: 'duckdb' })
    for (const { content, path } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    const { code, output } = await runDbt(dbt, folder, ['parse'])
    expect(code, output).toBe(0)
    const { nodes } = JSON.parse(await readFile(join(folder, 'target', 'manifest.json'), 'utf8')) as {
      readonly nodes: Readonly<Record<string, { readonly resource_type: string; readonly name: string }>>
    }
    const names = Object.values(nodes).flatMap(({ name, resource_type }) =>
      resource_type === 'test' ? [name] : [],
    )
    expect(names).toHaveLength(6)
    expect(new Set(names).size).toBe(6)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

for (const name of ['dbt-1', 'dbt-2'] as const)
  testWithDbt(
    'tests of two models whose names run into each other are kept apart by',
    name,
    keepsTestsApart,
    300_000,
  )

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { runCli } from './run-cli.ts'

const HEADER = 'source_dialect,record_kind,table_schema,table_name,column_name,data_type'

test('prints one statement for Snowflake, and reads results from a folder or a pattern', async () => {
  const folder = mkdtempSync(join(temporaryFolder(), 'stagecraft-results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const printed = await runCli(['export', '--print-sql', '--dialect', 'snowflake', 'raw.shop'], { folder })
  expect(printed.stdout).toMatch(
    /^-- save the result as result\.csv or \.json\nshow primary keys in schema "RAW"\."SHOP"\n->> show unique keys/,
  )
  expect(printed.stdout.match(/;/g)).toHaveLength(1)
  expect(printed.stderr).toBe('note then read it with --catalog result.csv\n')
  mkdirSync(join(folder, 'results'))
  for (const schema of ['shop', 'web'])
    writeFileSync(
      join(folder, 'results', `${schema}.csv`),
      `${HEADER}\ntrino,columns,${schema},orders,id,bigint\n`.replace('bigint', '"bigint"'),
    )
  const tables = (...parameters: readonly string[]) => runCli(['tables', ...parameters], { folder })
  const all = 'shop.orders  table, 1 column\nweb.orders   table, 1 column\n'
  expect(await tables('--catalog', 'results/')).toMatchObject({ stdout: all, code: 0 })
  expect(await tables('--catalog', 'results')).toMatchObject({ stdout: all, code: 0 })
  expect(await tables('--catalog', 'results/*.csv')).toMatchObject({ stdout: all, code: 0 })
  expect(await tables('--catalog', 'results/shop.csv', 'results/web.csv')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      `--catalog: expected one file, a folder, or a pattern in quotes, got results/web.csv after results/shop.csv; write --catalog 'results/*.csv', so that the shell keeps the pattern`,
    ) as string,
  })
  expect(await tables('--catalog', 'results/shop.csv', '--catalog', 'results/web.csv')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      '--catalog: expected one catalog, got two; for several results, name their folder',
    ) as string,
  })
})

test('says where the results of several statements go', async () => {
  const { stderr, stdout } = await runCli(['export', '--print-sql', '--dialect', 'redshift', 'shop'])
  expect(stdout).toContain('-- save the result as late_binding.csv or .json\n')
  expect(stderr).toBe('note save all results in one folder, and read them with --catalog folder/\n')
})

test.each([
  ['clickhouse', 'raw.shop', 'schema: expected a schema of clickhouse: schema, got "raw.shop"'],
  [
    'snowflake',
    'raw.shop.orders',
    'schema: expected a schema of snowflake: database.schema, or schema, got "raw.shop.orders"',
  ],
])('says which names export takes for %s', async (dialect, schema, message) => {
  const { code, stderr } = await runCli(['export', '--print-sql', '--dialect', dialect, schema])
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(stderr).not.toContain('*')
})

test('takes a whole schema as other commands do', async () => {
  const of = async (schema: string) =>
    (await runCli(['export', '--print-sql', '--dialect', 'snowflake', schema])).stdout
  expect(await of('raw.shop.*')).toBe(await of('raw.shop'))
})

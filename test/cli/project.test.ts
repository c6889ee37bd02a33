import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { runWarm, temporaryFolder } from './run-cli.ts'

const catalog = repositoryPath('test/cli/columns.yml')
const MANIFEST = 'https://schemas.getdbt.com/dbt/manifest/v12.json'

function dbtProject(lines: readonly string[], manifest?: object): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), ['name: shop', ...lines, ''].join('\n'))
  if (manifest) {
    mkdirSync(join(folder, 'target'))
    writeFileSync(join(folder, 'target/manifest.json'), JSON.stringify(manifest))
  }
  return folder
}

const parsedBy = (version: string): object => ({
  metadata: { dbt_schema_version: MANIFEST, dbt_version: version, adapter_type: 'duckdb' },
})

test.each([
  [['require-dbt-version: ">=1.5"'], undefined, true],
  [['require-dbt-version: [">=1.5.0", "<1.10.0"]'], undefined, false],
  [['require-dbt-version: ">=1.5"'], parsedBy('1.9.4'), false],
  [['require-dbt-version: ["=1.9.4"]'], parsedBy('1.11.16'), false],
  [[], parsedBy('1.11.16'), true],
  [['require-dbt-version: ">=1.5"', 'target-path: elsewhere'], parsedBy('1.9.4'), true],
])('the YAML is for the dbt of a project with %j', async (lines, manifest, hasArguments) => {
  const folder = dbtProject(lines, manifest)
  const { code, stdout } = await runWarm(['generate', 'shop.*', '--catalog', catalog], { folder })
  expect({ code, hasArguments: stdout.includes('arguments:') }).toEqual({ code: 0, hasArguments })
})

test('what is printed in a dbt project has the names of its sources', async () => {
  const folder = dbtProject([])
  mkdirSync(join(folder, 'models'))
  writeFileSync(
    join(folder, 'models/_sources.yml'),
    'sources:\n  - name: store\n    schema: shop\n    tables:\n      - name: sales\n        identifier: orders\n      - {name: gone, identifier: gone_table}\n',
  )
  for (const asked of ['shop.orders', 'shop.*', '--all']) {
    const { code, stderr, stdout } = await runWarm(['generate', asked, '--catalog', catalog], { folder })
    expect(code).toBe(0)
    expect(stdout).toContain("source('store', 'sales')")
    expect(stdout).toContain('- name: stg_store__sales')
    expect(stdout).not.toContain("source('shop'")
    expect(stderr).toContain('note sources and models keep the names of this dbt project')
    expect(stderr).not.toContain('CONFIG_NOT_USED')
  }
})

test('the dialect is that of the flag, the configuration, the lock, the profile or the catalog', async () => {
  const folder = dbtProject(['profile: house'])
  const columns = [{ name: 'select', type: 'integer' }]
  writeFileSync(
    join(folder, 'columns.yml'),
    JSON.stringify({ tables: [{ schema: 'shop', name: 'orders', columns }] }),
  )
  const HOME = { DBT_PROFILES_DIR: '', DBT_TARGET: '', DBT_PROJECT_DIR: '', HOME: '/nonexistent' }
  const run = (...parameters: readonly string[]) =>
    runWarm([...parameters, '--catalog', 'columns.yml'], { folder, env: HOME })
  const quotes = async (...flags: readonly string[]): Promise<string | undefined> =>
    /(["`[])select/.exec((await run('generate', 'shop.orders', ...flags)).stdout)?.[1]
  const unknown = await run('plan', 'shop.orders')
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('dialect: expected one of') as string,
  })
  writeFileSync(
    join(folder, 'profiles.yml'),
    'house: { outputs: { default: { type: bigquery, project: p, dataset: d, method: oauth } } }\n',
  )
  expect(await quotes()).toBe('`')
  expect(await run('apply', 'shop.orders', '--dialect', 'postgres')).toMatchObject({ code: 0 })
  expect(await quotes()).toBe('"')
  for (const command of [['plan'], ['check'], ['check', '--offline'], ['apply'], ['explain', 'shop.orders']])
    expect(await run(...command)).toMatchObject({ code: 0 })
  expect((await run('plan')).stdout).toBe('plan: 3 unchanged\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: databricks\n')
  expect(await quotes()).toBe('`')
  expect(await quotes('--dialect', 'snowflake')).toBe('"')
})

test.each([
  ['stagecraft.yml', 2],
  ['dbt_project.yml', 2],
  ['packages.yml', 2],
  ['target/manifest.json', 0],
  ['models/stg_x.sql', 0],
])('a pipe in place of %s stops nobody', async (file, expected) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'target'))
  mkdirSync(join(folder, 'models'))
  if (file !== 'dbt_project.yml') writeFileSync(join(folder, 'dbt_project.yml'), 'name: p')
  execFileSync('mkfifo', [join(folder, file)])
  const { code, stderr } = await runWarm(['generate', 'shop.*', '--catalog', catalog], { folder })
  expect(code).toBe(expected)
  if (expected > 0) expect(stderr).toMatch(/expected a file, but it is a pipe/)
})

test('the dbt that wrote a catalog of artifacts is the one that is installed', async () => {
  const columns = { state: { name: 'state', data_type: 'varchar' } }
  const source = { name: 'orders', source_name: 'shop', schema: 'shop', columns }
  const key = { column_name: 'state' }
  const values = { ...key, values: ['open', 'paid'] }
  const nodes = {
    t: {
      resource_type: 'test',
      attached_node: 'source.shop.orders',
      test_metadata: { name: 'accepted_values', kwargs: values },
    },
  }
  const manifest = { ...parsedBy('1.9.4'), sources: { 'source.shop.orders': source }, nodes }
  const folder = dbtProject(['require-dbt-version: ">=1.5"', 'target-path: elsewhere'], manifest)
  const { stdout } = await runWarm(['generate', 'shop.orders', '--catalog', 'dbt:target'], { folder })
  expect(stdout).toMatch(/- accepted_values:\n +values:/)
  expect(stdout).not.toContain('arguments:')
})

test('artifacts without a catalog list every source, with what they know of it', async () => {
  const columns = { id: { name: 'id', data_type: null }, note: { name: 'note', description: 'What is said' } }
  const sources = {
    'source.shop.orders': { name: 'orders', source_name: 'shop', schema: 'shop', columns },
    'source.shop.bare': { name: 'bare', source_name: 'shop', schema: 'shop', columns: {} },
  }
  const folder = dbtProject([], { ...parsedBy('1.11.16'), sources })
  const run = (...parameters: readonly string[]) =>
    runWarm([...parameters, '--catalog', 'dbt:target'], { folder })
  const note =
    'warning[CATALOG_PARTLY_READ] target: there is no catalog.json, so the columns and types are those listed in the YAML of the project, and none for 1 of 2 tables; dbt docs generate creates it\n  stagecraft explain CATALOG_PARTLY_READ shows cause and remedy\n'
  expect(await run('tables')).toEqual({
    code: 0,
    stdout: 'shop.bare    table, 0 columns\nshop.orders  table, 2 columns\n',
    stderr: note,
  })
  const all = await run('generate', '--all')
  expect(all.stdout).toContain('description: What is said')
  expect(all.stdout).not.toMatch(/unknown|bare/)
  expect(all.stderr).toContain('the type of note is unknown, so the column is selected unchanged')
  const bare = await run('generate', 'shop.bare')
  expect(bare.stderr).toMatch(
    /^warning\[CATALOG_PARTLY_READ\] .*\n.*\nerror\[INVALID_SOURCE\] the columns of shop\.bare are not known.*\n {2}check that the catalog/,
  )
})

test('artifacts that are older than the project are told apart', async () => {
  const columns = { id: { name: 'id', data_type: 'int' } }
  const source = {
    name: 'orders',
    source_name: 'shop',
    schema: 'shop',
    package_name: 'shop',
    original_file_path: 'models/s.yml',
    columns,
  }
  const folder = dbtProject([], { ...parsedBy('1.11.16'), sources: { 'source.shop.shop.orders': source } })
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'models/s.yml'), 'sources: [{ name: shop, tables: [{ name: orders }] }]')
  const run = () => runWarm(['tables', '--catalog', 'dbt:target'], { folder })
  expect((await run()).stderr).not.toContain('older than the project')
  writeFileSync(join(folder, 'models/late.sql'), 'select 1')
  expect(await run()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      'note the artifacts are older than the project: models/late.sql is new; dbt docs generate renews them',
    ),
  })
})

test('headers that a columns file has besides are named once', async () => {
  const folder = temporaryFolder()
  const text =
    'table_schema,table_name,column_name,data_type,data_policies\nshop,a,id,int64,x\nshop,b,id,int64,x\n'
  writeFileSync(join(folder, 'columns.csv'), text)
  const parameters = [
    'generate',
    '--all',
    '--catalog',
    'columns.csv',
    '--dialect',
    'bigquery',
    '--out',
    'out',
  ]
  const { code, stderr } = await runWarm(parameters, { folder })
  expect(code).toBe(0)
  expect(stderr.match(/.*data_policies.*/g)).toEqual([
    'warning[CATALOG_PARTLY_READ] columns.csv: unknown headers were ignored: data_policies',
  ])
})

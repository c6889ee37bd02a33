import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseConfig } from '@stagecraft/core'
import { configJsonSchema } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { buildHouses } from '../bench/houses/index.ts'
import { repositoryPath } from '../paths.ts'
import { runWarm, temporaryFolder } from './run-cli.ts'

/** A project whose models have a house style, and the tables of its warehouse. */
function writeHouse(name: string): string {
  const house = buildHouses().find((one) => one.name === name)
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(house?.files ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  writeFileSync(join(folder, 'columns.json'), JSON.stringify({ dialect: 'snowflake', tables: house?.tables }))
  return folder
}

const catalog = ['--catalog', 'columns.json']

test('proposes, writes nothing without --yes, and writes the same with it', async () => {
  const folder = writeHouse('entity_first')
  const shown = await runWarm(['init', ...catalog], { folder })
  expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' })
  expect(shown.stdout).toMatch(/^project: .*\nwarehouse: snowflake, \d+ tables in /)
  expect(shown.stdout).toContain('nothing is written; stagecraft init --yes writes it')
  expect(existsSync(join(folder, 'stagecraft.yml'))).toBe(false)

  const written = await runWarm(['init', '--yes', ...catalog], { folder })
  expect(written.code).toBe(0)
  expect(written.stderr).toBe(
    'wrote stagecraft.yml\nwrote .stagecraft/schema.json\ncommit .stagecraft/schema.json too: editors read it for stagecraft.yml\n',
  )
  const text = readFileSync(join(folder, 'stagecraft.yml'), 'utf8')
  const [line, ...rest] = text.split('\n')
  expect(line).toBe('# yaml-language-server: $schema=./.stagecraft/schema.json')
  expect(shown.stdout).toContain(rest.join('\n'))
  expect(JSON.parse(readFileSync(join(folder, '.stagecraft/schema.json'), 'utf8'))).toEqual(
    configJsonSchema(),
  )
  expect(parseConfig(text, 'stagecraft.yml')).toMatchObject({ preset: 'dbt-labs', sources: { shop: {} } })

  // what was learned holds from now on, and plan knows its tables without being told
  const learned = await runWarm(['learn', '--json', ...catalog], { folder })
  expect(JSON.parse(learned.stdout)).toMatchObject({ config: {} })
  expect((await runWarm(['plan', ...catalog], { folder })).code).toBe(0)
})

test('never replaces a file', async () => {
  const folder = writeHouse('plain')
  writeFileSync(join(folder, 'stagecraft.yml'), '# mine\n')
  const inside = join(folder, 'models')
  for (const place of [folder, inside]) {
    const refused = await runWarm(['init', '--yes'], { folder: place })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(
      'stagecraft.yml already exists; stagecraft learn --write adds conventions to it',
    )
  }
  expect(readFileSync(join(folder, 'stagecraft.yml'), 'utf8')).toBe('# mine\n')
})

test('outside of a dbt project says what to do', async () => {
  const refused = await runWarm(['init', '--yes'], { folder: temporaryFolder() })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toMatch(/no dbt_project\.yml is in or above it.*dbt init makes a project/)
})

test('without a warehouse looks at the files, and says so', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  mkdirSync(join(folder, 'models'))
  const columns = ['id', 'name', '_fivetran_synced'].map((name) => `          - name: ${name}\n`).join('')
  writeFileSync(
    join(folder, 'models/src.yml'),
    `sources:\n  - name: crm\n    schema: salesforce\n    tables:\n      - name: account\n        columns:\n${columns}`,
  )
  const { code, stderr, stdout } = await runWarm(['init', '--dialect', 'bigquery'], { folder })
  expect(code).toBe(0)
  expect(stderr).toContain('only files are read, no warehouse')
  expect(stdout).toBe(`project: shop, 0 models, 1 source (crm) with 1 table
warehouse: not read
loader: fivetran fills salesforce, judging by the columns of its 1 table
conventions: no staging models to learn from, so the preset decides

would write stagecraft.yml:

preset: dbt-labs
dialect: bigquery
sources:
  salesforce:
    options:
      loader: fivetran # judging by the columns of 1 table

nothing is written; stagecraft init --yes writes it
`)
})

test('a project without sources gets the schemas of the warehouse', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  const { stdout } = await runWarm(['init', '--catalog', repositoryPath('test/cli/columns.yml')], { folder })
  expect(stdout).toContain('preset: dbt-labs\nsources:\n  crm: {}\n  shop: {}\n')
})

test('a catalog that is named has to be there', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  const { code, stdout } = await runWarm(['init', '--catalog', 'nothing.yml'], { folder })
  expect(code).not.toBe(0)
  expect(stdout).toBe('')
})

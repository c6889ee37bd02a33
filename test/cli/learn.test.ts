import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { buildHouses } from '../bench/houses/index.ts'
import { runWarm, temporaryFolder } from './run-cli.ts'

/** Writes the project of a house, but for some models, and the tables of its warehouse. */
function writeHouse(name: string, without: readonly string[] = []): string {
  const house = buildHouses().find((one) => one.name === name)
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(house?.files ?? {})) {
    if (without.some((one) => path.endsWith(`/${one}`))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  writeFileSync(join(folder, 'columns.json'), JSON.stringify({ dialect: 'snowflake', tables: house?.tables }))
  return folder
}

const catalog = ['--catalog', 'columns.json']

test('learn prints rules with their support, and writes them beside what is there', async () => {
  const folder = writeHouse('keyed')
  writeFileSync(join(folder, 'stagecraft.yml'), '# ours\nnaming:\n  dates: keep # as agreed\n')
  const { code, stdout } = await runWarm(['learn', '--write', ...catalog], { folder })
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /the key of a table is called `\{entity\}_key`\n {2}naming\.patterns\.id: \{entity\}_key\n {2}\d+ of \d+ columns, \d+ of \d+ models: models\/[^ ]+\.sql, models\/[^ ]+\.sql, models\/[^ ]+\.sql\n {2}except models\//,
  )
  const listed = [
    ...stdout.matchAll(
      /\n((?: {2}except .*\n)+)(?: {2}the first 3 of (\d+) exceptions; --json lists all\n)?/g,
    ),
  ]
  expect(listed.length).toBeGreaterThan(0)
  for (const [, lines = '', all = '0'] of listed) {
    const shown = lines.split('\n').length - 1
    expect(shown).toBeLessThanOrEqual(3)
    expect(Number(all) > 3).toBe(all !== '0' && shown === 3)
  }
  expect(stdout).toMatch(
    /\nno setting for this; your own template can follow it:\n(?: {2}.*\n)* {2}keywords are in/,
  )
  const written = readFileSync(join(folder, 'stagecraft.yml'), 'utf8')
  expect(written).toMatch(/^# ours\nnaming:\n {2}dates: keep # as agreed\n/)
  expect(written).toContain('id: "{entity}_key"')
  const again = await runWarm(['learn', '--json', ...catalog], { folder })
  expect(JSON.parse(again.stdout)).toMatchObject({ config: {} })
})

test('generate --learn names a new table as the others are named', async () => {
  const folder = writeHouse('entity_first', ['stg__shop__app__refunds.sql'])
  const ask = ['generate', 'shop.raw__shop__app__refunds', ...catalog]
  const { stderr, stdout } = await runWarm([...ask, '--learn'], { folder })
  expect(stdout).toMatch(/ as refund_created_on\b/)
  expect(stdout).toMatch(/ as refund_note\b/)
  expect(stdout).toContain('-- models/staging/shop/stg__shop__app__refunds.sql')
  expect(stderr).toMatch(/learned from \d+ models/)
  expect((await runWarm(ask, { folder })).stdout).not.toContain('refund_note')
})

test('explain --learn says what a name was learned from', async () => {
  const folder = writeHouse('keyed')
  const { stdout } = await runWarm(['explain', 'stg_sales_order.order_dt', '--learn', ...catalog], { folder })
  expect(stdout).toMatch(
    /learned: naming\.patterns\.date: \{name\}_dt, as in \d+ of \d+ columns, \d+ of \d+ models: models\/.*\[learned, learned\]/,
  )
  // also those that decide nothing about this column
  expect(stdout).toMatch(
    /learned settings:\n(?:.*\n)* {2}naming\.types\.staging\.folder: models\/stage\/\{source\}\n {2}\d+ of \d+ models: models\/stage\//,
  )
  expect(stdout).not.toContain('configuration]')
  const reference = await runWarm(['explain', 'stg_sales_order.customer_key', '--learn', ...catalog], {
    folder,
  })
  expect(reference.stdout).toContain('learned: naming.patterns.reference: {name}_key, as in ')
})

test('learn says what it cannot do', async () => {
  const outside = await runWarm(['learn'], { folder: temporaryFolder() })
  expect(outside.code).toBe(2)
  expect(outside.stderr).toContain('expected a folder in a dbt project')
  const folder = writeHouse('plain')
  const from = await runWarm(['learn', '--from', '..'], { folder })
  expect(from.stderr).toContain('--from: expected a folder in the project')
})

test('learn says that there is nothing to learn from', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: empty\n')
  expect(await runWarm(['learn'], { folder })).toMatchObject({
    code: 0,
    stdout: 'there are no staging models to learn from\n',
  })
})

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LINEAGE_FILES } from '../lint/lineage-files.ts'
import { repositoryPath } from '../paths.ts'
import { lintProject } from './lint-project.ts'
import { runWarm } from './run-cli.ts'

test('lineage shows models and columns, and offers the nearest name', async () => {
  const folder = lintProject(LINEAGE_FILES)
  const model = await runWarm(['lineage', 'fct_orders', '--up'], { folder })
  expect(model).toMatchObject({ code: 0, stderr: '' })
  expect(model.stdout).toContain('    source shop.customers  models/sources.yml:5\n')
  const column = await runWarm(['lineage', 'shop.orders.tax', '--down', '--output', 'tax.txt'], { folder })
  expect(column).toEqual({ code: 0, stdout: '', stderr: 'written to tax.txt\n' })
  expect(readFileSync(join(folder, 'tax.txt'), 'utf8')).toContain('breaks 1 model; 4 more build on it')
  const wrong = await runWarm(['lineage', 'fct_order'], { folder })
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('did you mean fct_orders?')
  const upper = await runWarm(['lineage', 'shop.ORDERS', '--up'], { folder })
  expect(upper).toMatchObject({ code: 0, stdout: expect.stringContaining('source shop.orders') as string })
  const noColumn = await runWarm(['lineage', 'fct_orders.totl'], { folder })
  expect(noColumn.code).toBe(2)
  expect(noColumn.stderr).toContain(
    'expected a column that its SQL gives, got fct_orders.totl; did you mean total?',
  )
})

test('lineage cites the line of a raw column, as ask does', async () => {
  const sources =
    'sources:\n  - name: shop\n    tables:\n      - name: orders\n        columns:\n          - name: id\n          - name: tax\n      - name: customers\n'
  const folder = lintProject({ ...LINEAGE_FILES, 'models/sources.yml': sources })
  const { stdout } = await runWarm(['lineage', 'SHOP.orders.TAX'], { folder })
  expect(stdout).toContain('models/sources.yml:7')
  const asked = await runWarm(['ask', 'what breaks if shop.orders.tax is dropped?'], { folder })
  expect(asked.stdout).toContain('models/sources.yml:7  source.shop.orders:tax')
})

test('a model without its version is the one that ref takes, and a file named like a version is its own model', async () => {
  const folder = lintProject({
    'dbt_project.yml': 'name: shop\n',
    'models/days_v2.sql': 'select 1 as id\n',
    'models/days_v10.sql': 'select 1 as id\n',
    'models/weeks.v2.sql': 'select 1 as id\n',
    'models/models.yml': 'models:\n  - name: days\n    versions: [{ v: 2 }, { v: 10 }]\n',
    'models/reads.sql': "select * from {{ ref('days') }} join {{ ref('weeks', v=2) }} using (id)\n",
  })
  const newest = await runWarm(['lineage', 'days', '--down'], { folder })
  expect(newest.stdout).toContain('model days.v10 ')
  expect(newest.stdout).toContain('model reads')
  const own = await runWarm(['lineage', 'weeks.v2', '--down'], { folder })
  expect(own.stdout).toContain('model reads')
  const none = await runWarm(['lineage', 'weeks'], { folder })
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('got weeks')
})

const python = repositoryPath('.venvs/openlineage/bin/python')
const isInstalled = existsSync(python)
const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])

describe.skipIf(!isInstalled && !isRequired)(
  `the client of OpenLineage (${isInstalled ? 'installed' : 'test/engines/install.sh installs it'})`,
  () => {
    test('reads the events, and writes the same', async () => {
      const folder = lintProject(LINEAGE_FILES)
      const parameters = ['lineage', 'shop.orders.amount', '--format', 'openlineage']
      const { stderr, stdout } = await runWarm(parameters, { folder })
      expect(stderr).toMatch(/^not known: odd: /)
      const events = stdout.trim().split('\n')
      expect(events).toHaveLength(3)
      const script = repositoryPath('test/lint/read_openlineage.py')
      const read = spawnSync(python, [script], { input: stdout, encoding: 'utf8' })
      expect(read.stderr).toBe('')
      expect(JSON.parse(read.stdout)).toMatchObject(events.map((event) => JSON.parse(event) as object))
    })
  },
)

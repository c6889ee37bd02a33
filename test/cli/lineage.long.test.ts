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
  expect(readFileSync(join(folder, 'tax.txt'), 'utf8')).toContain('breaks 1 model; 4 more build on that')
  const wrong = await runWarm(['lineage', 'fct_order'], { folder })
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('did you mean fct_orders?')
  const noColumn = await runWarm(['lineage', 'fct_orders.totl'], { folder })
  expect(noColumn.code).toBe(2)
  expect(noColumn.stderr).toContain(
    'expected a column that its SQL gives, got fct_orders.totl; did you mean total?',
  )
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

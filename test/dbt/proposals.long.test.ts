import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseRules } from '@stagecraft/analysis'
import { diskProposals, insideTree, type ProjectView, projectView, TOOLS } from '@stagecraft/assistant'
import { readLintProject } from '@stagecraft/analysis'
import { withTexts } from '@stagecraft/dbt'
import { expect } from 'vitest'
import { modelPlanner } from '../../packages/cli/src/project/plan-model.ts'
import { readFolder, runCli, temporaryFolder } from '../cli/run-cli.ts'
import { type Dbt, runDbt, writeProject } from './dbt.ts'
import { testWithDbt } from './with-dbt.ts'

const SOURCES = `# ours
version: 2
sources:
  - name: shop
    schema: main
    tables:
      - name: orders
        columns:
          - { name: id, data_type: integer }
          - { name: customer_id, data_type: integer }
          - { name: amt, data_type: "decimal(10, 2)" }
      - name: customers
`

const FILES: Readonly<Record<string, string>> = {
  'models/sources.yml': SOURCES,
  'models/customers.sql': "select id as customer_id, name from {{ source('shop', 'customers') }}\n",
}

async function openView(root: string): Promise<ProjectView> {
  const tree = insideTree(root)
  const read = (texts: ReadonlyMap<string, string>) =>
    readLintProject(withTexts(tree, texts), { structure: true })
  return projectView(await read(new Map()), { read, rules: chooseRules(), tree })
}

/** Calls a tool that proposes, and applies what it proposed by the command. */
async function proposeAndApply(root: string, name: string, input: object): Promise<void> {
  const view = await openView(root)
  const tool = TOOLS.find((one) => one.name === name)
  const before = projectFiles(root)
  const proposals = diskProposals(root, { createdBy: 'mcp' })
  const ports = { proposals, planner: modelPlanner(root, {}) }
  const result = await tool?.call(view, input, ports)
  expect(projectFiles(root)).toEqual(before)
  const applied = await runCli(['apply', String(result?.['proposal'])], { folder: root })
  expect({ code: applied.code, stderr: applied.code === 0 ? '' : applied.stderr }).toEqual({
    code: 0,
    stderr: '',
  })
}

function projectFiles(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(readFolder(root)).filter(([path]) => !/^(?:\.stagecraft|target|logs)\//.test(path)),
  )
}

async function parses(dbt: Dbt, root: string): Promise<void> {
  const { code, output } = await runDbt(dbt, root, ['parse', '--no-partial-parse'])
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
}

async function everyKind(dbt: Dbt): Promise<void> {
  const root = temporaryFolder()
  await writeProject(root, { type: 'duckdb', path: join(root, 'dev.duckdb') })
  mkdirSync(join(root, 'models'))
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, path), text)
  const start = projectFiles(root)
  await proposeAndApply(root, 'propose_model', {
    source: 'shop.orders',
    description: 'One row per order.',
    columns: [
      { column: 'customer_id', description: "The customer's number: see the shop." },
      { column: 'amt', description: 'What was paid.' },
    ],
  })
  const again = await runCli(['check', '--offline'], { folder: root })
  expect({ code: again.code, stdout: again.code === 0 ? '' : again.stdout }).toEqual({ code: 0, stdout: '' })
  await parses(dbt, root)
  await proposeAndApply(root, 'propose_properties', {
    edits: [
      { id: 'model.customers', description: 'One row per "customer", as # the shop has them.' },
      { id: 'model.customers:customer_id', tests: [{ name: 'unique' }, { name: 'not_null' }] },
      { id: 'model.customers:name', tests: [{ name: 'accepted_values', values: ['yes', "o'neil", '1'] }] },
      {
        id: 'model.stg_shop__orders:customer_id',
        tests: [{ name: 'relationships', to: 'model.customers', field: 'customer_id' }],
      },
      { id: 'source.shop.customers', description: 'Who buys.' },
    ],
  })
  await parses(dbt, root)
  const taken = await runCli(['undo'], { folder: root })
  expect(taken.code).toBe(0)
  await parses(dbt, root)
  expect(projectFiles(root)['models/sources.yml']).toBe(start['models/sources.yml'])
}

for (const name of ['dbt-1', 'dbt-2'] as const)
  testWithDbt('what proposals of every kind write is read by', name, everyKind, 300_000)

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CliResult, readFolder, runCli, temporaryFolder } from './run-cli.ts'

const COLUMNS = `tables:
  - schema: shop
    name: customers
    columns:
      - { name: id, type: integer }
      - { name: email, type: varchar, comment: Where invoices go }
    primaryKey: [id]
  - schema: shop
    name: orders
    columns:
      - { name: id, type: integer }
      - { name: customer_id, type: integer }
      - { name: amount, type: integer }
    primaryKey: [id]
`
const AMOUNT = '      - { name: amount, type: integer }\n'
const TAX = '      - { name: tax, type: integer }\n'
const ORDERS = 'models/staging/shop/stg_shop__orders.sql'

interface Project {
  readonly folder: string
  readonly run: (...parameters: readonly string[]) => Promise<CliResult>
  readonly edit: (path: string, from: string, to: string) => void
}

/** A dbt project whose catalog is a file beside it. */
function project(): Project {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\nversion: 1.0.0\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: duckdb\ncatalog: columns.yml\n')
  writeFileSync(join(folder, 'columns.yml'), COLUMNS)
  return {
    folder,
    run: (...parameters) => runCli(parameters, { folder }),
    edit(path, from, to) {
      const text = readFileSync(join(folder, path), 'utf8')
      expect(text).toContain(from)
      writeFileSync(join(folder, path), text.replace(from, to))
    },
  }
}

function git(folder: string, ...parameters: readonly string[]): void {
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...own, ...parameters], { cwd: folder, stdio: 'ignore' })
}

/** What git and people see: without the state that Stagecraft keeps for itself. */
function visible(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(readFolder(folder)).filter(
      ([path]) => !path.startsWith('.stagecraft/') && !path.startsWith('.git/'),
    ),
  )
}

test('plan shows what apply writes, check holds it, undo takes it back', async () => {
  const { folder, run } = project()
  const before = visible(folder)
  const plan = await run('plan', 'shop.*', '--exit-code')
  expect(plan.code).toBe(1)
  expect(plan.stdout).toContain(`create     ${ORDERS}\n`)
  expect(plan.stdout).toMatch(/^\+ {8}id as order_id,$/m)
  expect(plan.stdout).toMatch(/\nplan: 4 to create, 0 unchanged\n$/)
  expect(visible(folder)).toEqual(before)
  expect(await run('apply', 'shop.*')).toMatchObject({ code: 0, stdout: '' })
  const after = visible(folder)
  expect(after).toHaveProperty([ORDERS])
  expect(await run('plan', '--exit-code')).toMatchObject({ code: 0, stdout: 'plan: 4 unchanged\n' })
  expect(await run('check')).toMatchObject({ code: 0, stdout: 'check passed\n' })
  expect(await run('undo')).toMatchObject({ code: 0 })
  expect(visible(folder)).toEqual(before)
})

test('check tells drift from edits by hand, in every format', async () => {
  const { edit, run } = project()
  await run('apply', 'shop.*')
  edit(ORDERS, 'select * from renamed', 'select * from renamed -- all')
  const offline = await run('check', '--offline')
  expect(offline).toMatchObject({ code: 0, stdout: `edited    ${ORDERS}: edited by hand\ncheck passed\n` })
  edit('columns.yml', 'Where invoices go', 'Where bills go')
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  const text = await run('check')
  expect(text.code).toBe(1)
  expect(text.stdout).toContain(`drift     ${ORDERS}: shop.orders: + tax integer\n`)
  const github = await run('check', '--format', 'github')
  expect(github.stdout).toContain(
    `::error file=${ORDERS},title=stagecraft drift::shop.orders: + tax integer\n`,
  )
  const sarif = JSON.parse((await run('check', '--format', 'sarif')).stdout) as object
  expect(sarif).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        results: expect.arrayContaining([
          expect.objectContaining({ ruleId: 'drift', level: 'error' }),
        ]) as unknown,
      },
    ],
  })
})

test('a conflict writes nothing until it is settled', async () => {
  const { edit, folder, run } = project()
  await run('apply', 'shop.*')
  edit(ORDERS, 'customer_id,', 'abs(customer_id) as customer_id,')
  edit('columns.yml', '      - { name: customer_id, type: integer }\n', '')
  const before = visible(folder)
  const refused = await run('apply', '--prune')
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.stderr).toContain(
    `conflict ${ORDERS}: column customer_id is gone from the table, and was changed by hand: abs(customer_id) as customer_id`,
  )
  expect(visible(folder)).toEqual(before)
  expect(await run('apply', '--prune', '--conflict', 'theirs')).toMatchObject({ code: 0 })
  expect(visible(folder)[ORDERS]).not.toContain('customer_id')
})

test('a saved plan is applied as it was, and not when a file changed since', async () => {
  const { edit, folder, run } = project()
  expect(await run('plan', 'shop.orders', '--out', 'plan.json')).toMatchObject({ code: 0 })
  edit('columns.yml', 'Where invoices go', 'Where bills go')
  expect(await run('apply', '--plan', 'plan.json')).toMatchObject({ code: 0 })
  expect(visible(folder)).toHaveProperty([ORDERS])
  edit(ORDERS, 'from source', 'from  source')
  expect(await run('plan', '--no-tests', '--out', 'plan.json')).toMatchObject({ code: 0 })
  edit('models/staging/shop/_shop__models.yml', 'version: 2', 'version: 2 # ours')
  expect(await run('apply', '--plan', 'plan.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the plan is stale') as string,
  })
  writeFileSync(
    join(folder, 'plan.json'),
    '{"stagecraftPlan":1,"conflicts":[],"changes":[{"path":"../x","before":null,"after":"x"}]}',
  )
  expect(await run('apply', '--plan', 'plan.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected a plan that stagecraft plan --out wrote') as string,
  })
})

test('a model that a person wrote is adopted, and forgotten', async () => {
  const { edit, folder, run } = project()
  mkdirSync(join(folder, 'models/ours'), { recursive: true })
  writeFileSync(
    join(folder, 'models/sources.yml'),
    'sources:\n  - name: raw_shop # ours\n    schema: shop\n    tables:\n      - name: orders\n',
  )
  writeFileSync(
    join(folder, 'models/ours/orders.sql'),
    "select\n  id as order_no\n  , customer_id\n  , amount\nfrom {{ source('raw_shop', 'orders') }}\n",
  )
  const plan = await run('plan', 'shop.orders')
  expect(plan.stdout).toContain('foreign    models/ours/orders.sql\n')
  expect(await run('adopt', 'models/ours/orders.sql')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('adopted models/ours/orders.sql') as string,
  })
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  expect(await run('apply')).toMatchObject({ code: 0 })
  expect(visible(folder)['models/ours/orders.sql']).toContain('  id as order_no\n')
  expect(visible(folder)['models/ours/orders.sql']).toContain('  , amount\n  , tax\nfrom')
  expect(await run('forget', 'models/ours/orders.sql')).toMatchObject({ code: 0 })
  expect(visible(folder)['stagecraft.lock']).not.toContain('shop.orders')
})

test('changes of a person that are not committed are not merged into', async () => {
  const { edit, folder, run } = project()
  git(folder, 'init', '-q')
  await run('apply', 'shop.*')
  expect(visible(folder)['.gitattributes']).toBe('stagecraft.lock merge=union\n')
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'first')
  edit(ORDERS, 'select * from renamed', 'select * from renamed -- all')
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  const refused = await run('apply')
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      `not committed; commit them, or use --allow-dirty:\n  ${ORDERS}`,
    ) as string,
  })
  expect(await run('apply', '--allow-dirty')).toMatchObject({ code: 0 })
  expect(visible(folder)[ORDERS]).toMatch(/tax[^]*-- all\n$/)
})

test('generate --out in a project plans and applies', async () => {
  const { edit, folder, run } = project()
  expect(await run('generate', 'shop.orders', '--out', '.')).toMatchObject({ code: 0, stdout: '' })
  expect(visible(folder)).toHaveProperty(['stagecraft.lock'])
  edit(ORDERS, 'select * from renamed', 'select * from renamed -- all')
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  const { code, stdout } = await run('generate', 'shop.*', '--out', 'models', '--json')
  expect({ code, answers: (JSON.parse(stdout) as unknown[]).length }).toEqual({ code: 0, answers: 2 })
  expect(visible(folder)[ORDERS]).toMatch(/tax[^]*-- all\n$/)
  expect(visible(folder)).toHaveProperty(['models/staging/shop/stg_shop__customers.sql'])
})

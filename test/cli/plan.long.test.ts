import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type CliResult, readFolder, runWarm, temporaryFolder } from './run-cli.ts'

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
    run: (...parameters) => runWarm(parameters, { folder }),
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
  expect(await run('check')).toMatchObject({ code: 0, stdout: 'no findings in 4 files\n' })
  expect(await run('undo')).toMatchObject({ code: 0 })
  expect(visible(folder)).toEqual(before)
})

test('check tells drift from edits by hand, in every format', async () => {
  const { edit, run } = project()
  await run('apply', 'shop.*')
  edit(ORDERS, 'select * from renamed', 'select * from renamed -- all')
  const offline = await run('check', '--offline')
  expect(offline.code).toBe(0)
  expect(offline.stdout).toContain(`${ORDERS}:1:1 info[edited] the file was edited by hand\n`)
  edit('columns.yml', 'Where invoices go', 'Where bills go')
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  const text = await run('check')
  expect(text.code).toBe(1)
  expect(text.stdout).toContain(`${ORDERS}:1:1 error[drift] shop.orders: + tax integer\n`)
  expect(text.stdout).toContain(
    `${ORDERS}:1:1 info[edited] the file was edited by hand\n  = \`stagecraft apply\` keeps what you wrote\n`,
  )
  const plan = await run('plan')
  expect(plan.stdout).toContain(`merge      ${ORDERS}\n           edited by hand\n`)
  const github = await run('check', '--format', 'github')
  expect(github.stdout).toContain(
    `::error file=${ORDERS},line=1,endLine=1,title=stagecraft drift::shop.orders: + tax integer%0A`,
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
  const shown = (await run('plan', '--prune')).stdout.split(`+++ b/${ORDERS}\n`)[1]?.split('\n--- ')[0] ?? ''
  expect(shown.match(/^[-+].*/gm)).toEqual([
    '+<<<<<<< ours',
    '+||||||| base',
    '+        customer_id,',
    '+=======',
    '+>>>>>>> theirs',
  ])
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
    stderr: expect.stringContaining('expected a plan written by stagecraft plan --out') as string,
  })
})

test('a saved plan is held against the warehouse, where there is a connection', async () => {
  const { edit, folder, run } = project()
  expect(await run('plan', 'shop.orders', '--out', 'plan.json')).toMatchObject({ code: 0 })
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  expect(await run('apply', '--plan', 'plan.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'the plan is stale, because these tables changed since it was made; plan again:\n  shop.orders',
    ) as string,
  })
  expect(visible(folder)).not.toHaveProperty([ORDERS])
  edit('stagecraft.yml', 'catalog: columns.yml', 'catalog: elsewhere.yml')
  expect(await run('apply', '--plan', 'plan.json')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('note the plan was not compared with the warehouse: ') as string,
  })
  expect(visible(folder)).toHaveProperty([ORDERS])
})

test('files that were written a moment ago and not changed since need no commit in between', async () => {
  const { edit, folder, run } = project()
  git(folder, 'init', '-q')
  await run('apply', 'shop.*')
  edit(ORDERS, 'select * from renamed', 'select * from renamed -- all')
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'first')
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  expect(await run('apply')).toMatchObject({ code: 0 })
  edit('columns.yml', TAX, TAX + TAX.replace('tax', 'fee'))
  expect(await run('apply')).toMatchObject({ code: 0 })
  expect(visible(folder)[ORDERS]).toMatch(/tax,\n +fee[^]*-- all\n$/)
  edit(ORDERS, '-- all', '-- every one')
  edit('columns.yml', TAX, TAX + TAX.replace('tax', 'toll'))
  expect((await run('apply')).stderr).toContain(
    'uncommitted changes; commit them, or use apply --allow-dirty',
  )
})

test('nothing outside of the project is written, by whatever link', async () => {
  const { folder, run } = project()
  const outside = temporaryFolder()
  symlinkSync(outside, join(folder, 'models'))
  expect(await run('apply', 'shop.*')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/links out of the project[^]*\n {2}models\/staging\/shop/) as string,
  })
  expect(readFolder(outside)).toEqual({})
  rmSync(join(folder, 'models'))
  mkdirSync(join(folder, 'real'))
  symlinkSync('real', join(folder, 'models'))
  expect(await run('apply', 'shop.*')).toMatchObject({ code: 0 })
  expect(readFolder(join(folder, 'real/staging/shop'))).toHaveProperty(['stg_shop__orders.sql'])
})

test('of two that apply at once, one is told to wait, and one that died stands in nobody’s way', async () => {
  const { folder, run } = project()
  const hold = join(folder, '.stagecraft/apply.hold')
  const heldBy = (process: number): void => {
    mkdirSync(hold, { recursive: true })
    writeFileSync(join(hold, 'owner.json'), JSON.stringify({ process, host: hostname() }))
  }
  heldBy(process.pid)
  for (const command of [['apply', 'shop.*'], ['undo'], ['forget', 'a']])
    expect(await run(...command)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`another stagecraft (process ${process.pid} on `) as string,
    })
  expect(await run('plan', 'shop.*')).toMatchObject({ code: 0 })
  heldBy(2 ** 30)
  expect(await run('apply', 'shop.*')).toMatchObject({ code: 0 })
  expect(existsSync(hold)).toBe(false)
  const both = await Promise.all([run('apply', 'shop.*', '--no-docs'), run('apply', 'shop.*', '--no-tests')])
  for (const { code, stderr } of both)
    expect([code, /another stagecraft|^changed|nothing to write/m.test(stderr)]).toEqual([code, true])
  expect(both.map(({ code }) => code)).toContain(0)
})

test('check says what only --prune does', async () => {
  const { edit, run } = project()
  await run('apply', 'shop.*')
  edit('columns.yml', AMOUNT, '')
  const helps = async (): Promise<readonly string[]> => {
    const { stdout } = await run('check', '--format', 'json')
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; help: string }[] }
    return findings.map(({ help, rule }) => `${rule}: ${help}`)
  }
  expect(await helps()).toContain('drift: `stagecraft apply --prune` removes it; without `--prune` it stays')
  expect(await run('apply')).toMatchObject({ code: 0, stderr: expect.stringContaining('--prune') as string })
  expect((await helps()).every((help) => help.includes('--prune'))).toBe(true)
  expect((await run('check', '--format', 'github')).stdout).toContain(
    '::the file still has amount, which is missing from the warehouse%0A`stagecraft apply --prune` removes it from the file; without `--prune` it stays\n',
  )
  expect(await run('apply', '--prune')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^applied: \d updated/m) as string,
  })
  expect(await helps()).toEqual([])
})

test('conflicts are left, marked, or settled for either side, and other files are written with --partial', async () => {
  const { edit, folder, run } = project()
  await run('apply', 'shop.*')
  edit(ORDERS, 'customer_id,', 'abs(customer_id) as customer_id, -- ours')
  edit('columns.yml', '      - { name: customer_id, type: integer }\n', '')
  edit('columns.yml', 'Where invoices go', 'Where bills go')
  const before = visible(folder)
  expect(await run('apply', '--prune', '--partial')).toMatchObject({ code: 0 })
  expect(visible(folder)[ORDERS]).toBe(before[ORDERS])
  expect(visible(folder)['models/staging/shop/_shop__models.yml']).toContain('Where bills go')
  const again = await run('plan', '--prune')
  expect(again.stdout).toContain('1 in conflict')
  expect(await run('apply', '--prune', '--conflict', 'markers')).toMatchObject({ code: 0 })
  const marked = visible(folder)[ORDERS] ?? ''
  expect(marked).toMatch(
    /<{7} ours\n +abs\(customer_id\) as customer_id, -- ours\n\|{7} base\n[^]*\n={7}\n>{7} theirs\n/,
  )
  expect((await run('check')).stdout).toContain('the file has conflict markers')
  writeFileSync(join(folder, ORDERS), before[ORDERS] ?? '')
  expect(await run('apply', '--prune', '--conflict', 'ours')).toMatchObject({ code: 0 })
  expect(visible(folder)[ORDERS]).toBe(before[ORDERS])
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
  git(folder, 'init')
  const plan = await run('plan', 'shop.orders')
  expect(plan.stdout).toContain('foreign    models/ours/orders.sql\n')
  expect(await run('adopt', 'models/ours/orders.sql')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('adopted models/ours/orders.sql') as string,
  })
  expect(visible(folder)['.gitattributes']).toBe('stagecraft.lock merge=union\n')
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  expect(await run('apply')).toMatchObject({ code: 0 })
  expect(visible(folder)['models/ours/orders.sql']).toContain('  id as order_no\n')
  expect(visible(folder)['models/ours/orders.sql']).toContain('  , amount\n  , tax\nfrom')
  const meant = await run('forget', 'Orders')
  expect(meant.code).toBe(2)
  expect(meant.stderr).toContain('; did you mean shop.orders?')
  expect(await run('forget', 'models/ours/orders.sql')).toMatchObject({ code: 0 })
  expect(visible(folder)['stagecraft.lock']).not.toContain('shop.orders')
})

test('a setting that comes right after a model was adopted has its effect', async () => {
  const { folder, run } = project()
  mkdirSync(join(folder, 'models/ours'), { recursive: true })
  writeFileSync(
    join(folder, 'models/ours/orders.sql'),
    "select id as order_id, amount from {{ source('shop', 'orders') }}\n",
  )
  writeFileSync(
    join(folder, 'models/ours/orders.yml'),
    'models:\n  - name: orders\n    columns:\n      - name: order_id # ours\n',
  )
  writeFileSync(join(folder, 'models/sources.yml'), 'sources: [{ name: shop, tables: [{ name: orders }] }]\n')
  expect(await run('adopt', 'models/ours/orders.sql')).toMatchObject({ code: 0 })
  const file = join(folder, 'stagecraft.yml')
  const settings = 'sources: { shop: { tables: { orders: { columns: { amount: { notNull: true } } } } } }\n'
  writeFileSync(file, `${existsSync(file) ? readFileSync(file, 'utf8') : ''}${settings}`)
  expect(await run('apply')).toMatchObject({ code: 0 })
  const yaml = visible(folder)['models/ours/orders.yml'] ?? ''
  expect(yaml).toContain('- name: order_id # ours\n')
  expect(parse(yaml)).toMatchObject({
    models: [{ columns: [{ name: 'order_id' }, { name: 'amount', data_tests: ['not_null'] }] }],
  })
})

test('properties of an adopted model are about the columns that it selects', async () => {
  const { edit, folder, run } = project()
  mkdirSync(join(folder, 'models/ours'), { recursive: true })
  writeFileSync(
    join(folder, 'models/ours/orders.sql'),
    "with o as (select * from {{ source('shop', 'orders') }})\nselect id as order_no, amount / 100 as euros from o\n",
  )
  writeFileSync(join(folder, 'models/sources.yml'), 'sources: [{ name: shop, tables: [{ name: orders }] }]\n')
  expect(await run('adopt', 'models/ours/orders.sql')).toMatchObject({ code: 0 })
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  expect(await run('apply')).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('warning') as string,
  })
  const files = visible(folder)
  expect(files['models/ours/orders.sql']).toContain('id as order_no, tax, amount / 100 as euros from o')
  const yaml = Object.entries(files).find(([path]) => path.endsWith('_shop__models.yml'))?.[1] ?? ''
  expect(parse(yaml)).toMatchObject({
    models: [{ name: 'orders', columns: [{ name: 'order_no' }, { name: 'euros' }, { name: 'tax' }] }],
  })
  expect(await run('plan')).toMatchObject({
    code: 0,
    stdout: expect.not.stringMatching(/create|merge/) as string,
  })
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
      `uncommitted changes; commit them, or use apply --allow-dirty:\n  ${ORDERS}`,
    ) as string,
  })
  expect(await run('apply', '--allow-dirty')).toMatchObject({ code: 0 })
  expect(visible(folder)[ORDERS]).toMatch(/tax[^]*-- all\n$/)
})

test('a file that was added to git and never committed is not merged into', async () => {
  const { edit, folder, run } = project()
  git(folder, 'init', '-q')
  await run('apply', 'shop.*')
  edit(ORDERS, 'select * from renamed', 'select * from renamed -- all')
  git(folder, 'add', '.')
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  const before = visible(folder)
  expect(await run('apply')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      `uncommitted changes; commit them, or use apply --allow-dirty:\n  ${ORDERS}`,
    ) as string,
  })
  expect(visible(folder)).toEqual(before)
  git(folder, 'commit', '-qm', 'first')
  expect(await run('apply')).toMatchObject({ code: 0 })
})

test('the configuration of a project in a subfolder applies from the root of the repository and below the project', async () => {
  const { folder, edit } = project()
  const root = dirname(folder)
  const dir = basename(folder)
  edit(
    'stagecraft.yml',
    'dialect: duckdb\n',
    'dialect: duckdb\nnaming: { types: { staging: { model: "raw_{source}__{entity}" } } }\n',
  )
  const from = (place: string, ...parameters: readonly string[]) => runWarm(parameters, { folder: place })
  const model = 'models/staging/shop/raw_shop__orders.sql'
  expect(await from(root, 'apply', 'shop.*', '--project-dir', dir)).toMatchObject({ code: 0 })
  expect(visible(folder)).toHaveProperty([model])
  expect(await from(join(folder, 'models'), 'plan')).toMatchObject({
    code: 0,
    stdout: expect.not.stringMatching(/create|merge|update/) as string,
  })
  expect(await from(root, 'check', '--offline', '--project-dir', dir)).toMatchObject({ code: 0 })
  const explained = await from(root, 'explain', 'shop.orders', '--project-dir', dir, '--offline')
  expect(explained).toMatchObject({ code: 0, stdout: expect.stringContaining('raw_shop__orders') as string })
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
  renameSync(join(folder, ORDERS), join(folder, 'models/all_orders.sql'))
  edit('models/staging/shop/_shop__models.yml', 'name: stg_shop__orders', 'name: all_orders')
  for (const parameters of [[], ['--out', '.', '--json']]) {
    const printed = await run('generate', 'shop.*', ...parameters)
    expect(printed.code).toBe(0)
    expect(printed.stdout).toContain('name: all_orders')
    expect(printed.stdout).not.toContain('stg_shop__orders')
  }
  expect(Object.keys(visible(folder)).filter((path) => path.endsWith('orders.sql'))).toEqual([
    'models/all_orders.sql',
  ])
})

test('what only pruning brings into conflict is told as what is gone', async () => {
  const { edit, run } = project()
  await run('apply', 'shop.*')
  edit(ORDERS, '        amount\n', '        amount / 100 as amount\n')
  edit('columns.yml', AMOUNT, '')
  expect((await run('plan')).stdout).not.toContain('conflict')
  const { code, stdout } = await run('check')
  expect(code).toBe(1)
  expect(stdout).toContain(`${ORDERS}:1:1 error[drift] shop.orders: - amount integer\n`)
  expect(stdout).toContain('remove it from the file by hand')
  expect(stdout).not.toContain('error[conflict]')
  const kept = await run('apply', '--prune', '--conflict', 'ours')
  expect(kept.code).toBe(0)
  expect(kept.stderr).toContain('warning[COLUMN_GONE] shop.orders no longer has amount')
})

test('a file that cannot be edited says what to do', async () => {
  const { edit, run } = project()
  await run('apply', 'shop.*')
  edit('models/staging/shop/_shop__models.yml', 'models:\n', 'models: &all\n')
  edit('models/staging/shop/_shop__models.yml', 'version: 2\n', 'version: 2\nmore: [\n')
  edit('columns.yml', AMOUNT, AMOUNT + TAX)
  const { code, stderr } = await run('apply')
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /conflict models\/staging\/shop\/_shop__models\.yml: line \d+: .*; edit it by hand, and plan again\n/,
  )
  expect(stderr).toContain('1 file is in conflict; fix the errors above, or write the others')
})

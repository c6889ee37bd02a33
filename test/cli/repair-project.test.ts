import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CliResult, runWarm, temporaryFolder } from './run-cli.ts'

const SOURCES = 'models/staging/shop/_shop__sources.yml'
const MODEL = 'models/staging/shop/stg_shop__orders.sql'

interface Shop {
  readonly run: (...command: readonly string[]) => Promise<CliResult>
  readonly read: (path: string) => string
  readonly write: (path: string, text: string) => void
  readonly remove: (path: string) => void
}

/** A project in which two tables were applied. */
async function shop(): Promise<Shop> {
  const folder = temporaryFolder()
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text)
  mkdirSync(join(folder, 'models'))
  write('dbt_project.yml', 'name: shop\n')
  write('stagecraft.yml', 'dialect: duckdb\ncatalog: columns.yml\n')
  const columns = ['id', 'amount', 'tax'].map((name) => ({ name, type: 'integer' }))
  const tables = ['bills', 'orders'].map((name) => ({ schema: 'shop', name, columns }))
  write('columns.yml', JSON.stringify({ dialect: 'duckdb', tables }))
  const run: Shop['run'] = (...command) => runWarm(command, { folder })
  expect(await run('apply', '--all')).toMatchObject({ code: 0 })
  return {
    run,
    write,
    remove: (path) => rmSync(join(folder, path)),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  }
}

interface Findings {
  readonly findings: readonly { readonly rule: string; readonly severity: string; readonly path: string }[]
}

test('check fails for a source table that no file declares any more, and apply declares it again', async () => {
  const { read, run, write } = await shop()
  const whole = read(SOURCES)
  write(SOURCES, whole.slice(0, whole.indexOf('\n      - name: orders')))
  for (const offline of [[], ['--offline']]) {
    const { code, stdout } = await run('check', '--json', ...offline)
    expect(code).toBe(1)
    const { findings } = JSON.parse(stdout) as Findings
    expect(findings.map(({ path, rule, severity }) => `${path} ${severity} ${rule}`)).toEqual([
      `${SOURCES} error outdated`,
      `${MODEL} error undeclared`,
    ])
  }
  const said = (await run('check')).stdout
  expect(said).toContain(
    `${MODEL}:5:1 error[undeclared] source('shop', 'orders') is read here, but no file declares it`,
  )
  expect(said).toContain('`stagecraft apply shop.orders` adds its entry again')
  expect((await run('plan', 'shop.orders')).stdout).toContain(
    `shop.orders is declared again, because ${MODEL} reads it`,
  )
  expect(await run('apply', 'shop.orders')).toMatchObject({ code: 0 })
  expect(read(SOURCES).replaceAll('\n\n', '\n')).toBe(whole.replaceAll('\n\n', '\n'))
  expect(await run('check')).toMatchObject({ code: 0 })
})

test('a second apply with markers refuses the file, and names the line and the remedy', async () => {
  const { read, run, write } = await shop()
  write(MODEL, read(MODEL).replace(' amount,', ' abs(amount) as amount,'))
  const cents = (...names: readonly string[]): void => {
    const columns = names.map((name) => `${name}: { as: cents }`).join(', ')
    write(
      'stagecraft.yml',
      `dialect: duckdb\ncatalog: columns.yml\nsources: { shop: { tables: { orders: { columns: { ${columns} } } } } }\n`,
    )
  }
  cents('amount')
  expect(await run('apply', '--conflict', 'markers')).toMatchObject({ code: 0 })
  const marked = read(MODEL)
  expect(marked.match(/^<{7} ours$/gm)).toHaveLength(1)
  cents('amount', 'tax')
  for (const conflict of ['markers', 'ours', 'theirs']) {
    const { code, stderr } = await run('apply', '--conflict', conflict)
    expect(code).not.toBe(0)
    const line = marked.split('\n').indexOf('<<<<<<< ours') + 1
    expect(stderr).toContain(
      `${MODEL}: line ${line}: conflict markers of an earlier merge; keep one side, remove the markers, and plan again`,
    )
    expect(read(MODEL)).toBe(marked)
  }
  const check = await run('check', '--offline')
  expect(check.stdout).toMatch(new RegExp(`${MODEL}:\\d\\d:1 error\\[conflict\\]`))
  expect(check.stdout).toContain('keep one side of each conflict, and remove the markers')
})

test('--json of check is short for --format json, and takes no other format', async () => {
  const { run } = await shop()
  const [short, long] = [await run('check', '--json'), await run('check', '--format', 'json')]
  expect(short.stdout).toBe(long.stdout)
  expect(JSON.parse(short.stdout)).toMatchObject({ findings: [] })
  expect(await run('check', '--json', '--format', 'github')).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('--json: expected no other format with it') as string,
  })
})

test('a bare plan follows the schemas of stagecraft.yml with new tables, and leaves alone what is excluded', async () => {
  const { run, write } = await shop()
  const columns = [{ name: 'id', type: 'integer' }]
  const tables = ['bills', 'fees', 'orders'].map((name) => ({ schema: 'shop', name, columns }))
  write('columns.yml', JSON.stringify({ dialect: 'duckdb', tables }))
  const planned = async (sources: string): Promise<string> => {
    write('stagecraft.yml', `dialect: duckdb\ncatalog: columns.yml\n${sources}`)
    return (await run('plan')).stdout
  }
  expect(await planned('')).not.toContain('shop.fees')
  expect(await planned('sources: { shop: {} }\n')).toContain('shop.fees is new (stg_shop__fees)')
  const withoutFees = await planned('sources: { shop: { tables: { fees: { exclude: true } } } }\n')
  expect(withoutFees).not.toContain('shop.fees')
  expect(withoutFees).toContain('shop.orders (stg_shop__orders)\n  - amount integer\n')
  const without = await planned('sources: { shop: { exclude: true } }\n')
  expect(without).not.toContain('shop.fees')
  expect(without).toContain('shop.orders (stg_shop__orders) is excluded by stagecraft.yml\n')
  expect(without).toContain('plan: 0 unchanged')
})

test('what a plan says after a schema was renamed leads to a project that follows the new one', async () => {
  const { read, run, write } = await shop()
  write(MODEL, `-- mine\n${read(MODEL)}`)
  const columns = read('columns.yml')
  write('columns.yml', columns.replaceAll('"schema":"shop"', '"schema":"store"'))
  const said = (await run('plan')).stderr
  expect(said).toContain(
    "if the schema was renamed, write its name under schema of its source in the project, then run stagecraft forget 'shop.*' and stagecraft adopt with the files of its models",
  )
  write(SOURCES, read(SOURCES).replace('  - name: shop\n', '  - name: shop\n    schema: store\n'))
  const before = read(MODEL)
  expect((await run('plan', 'store.*')).stdout).toContain(
    `or if it is the same table, run stagecraft forget shop.orders and stagecraft adopt ${MODEL}`,
  )
  expect(await run('forget', 'shop.*')).toMatchObject({
    code: 0,
    stderr: 'forgot shop.bills; its files stay\nforgot shop.orders; its files stay\n',
  })
  expect(await run('adopt', MODEL, MODEL.replace('orders', 'bills'))).toMatchObject({ code: 0 })
  expect(await run('check')).toMatchObject({ code: 0 })
  write('columns.yml', read('columns.yml').replaceAll('"amount"', '"amount_paid"'))
  expect(await run('apply')).toMatchObject({ code: 0 })
  expect(read(MODEL)).toBe(before.replace(' amount,', ' amount_paid as amount,'))
})

test('a configured folder that dbt does not read is told once, until it is one that dbt reads', async () => {
  const { run, write } = await shop()
  const naming =
    "naming: { sourcesFolder: 'raw/{source}', types: { staging: { folder: 'transform/{source}' } } }\n"
  write('stagecraft.yml', `dialect: duckdb\ncatalog: columns.yml\n${naming}`)
  const told = async (): Promise<readonly string[]> =>
    (await run('plan')).stderr.split('\n').filter((line) => line.includes('[CONFIG_NOT_USED]'))
  const said = (folder: string): unknown =>
    expect.stringContaining(
      `the folder ${folder} in the configuration is outside of the model-paths of dbt_project.yml (models), so dbt does not read it`,
    )
  expect(await told()).toEqual([said('transform/shop'), said('raw/shop')])
  write('dbt_project.yml', 'name: shop\nmodel-paths: [transform, raw, models]\n')
  expect(await told()).toEqual([])
})

const PROPERTIES = 'models/staging/shop/_shop__models.yml'
const TABLES = ['bills', 'orders', 'rents']

/** Adds a column to the tables, and a new table. */
function widen(write: Shop['write']): void {
  const columns = ['id', 'amount', 'tax', 'fee'].map((name) => ({ name, type: 'integer' }))
  const tables = TABLES.map((name) => ({ schema: 'shop', name, columns }))
  write('columns.yml', JSON.stringify({ dialect: 'duckdb', tables }))
}

test.each([
  [
    'an entry that cannot be edited',
    PROPERTIES,
    (text: string) => text.replace('models:', 'models: &all').concat('\nx: *all\n'),
  ],
  ['a name that is taken', 'models/stg_shop__rents.sql', () => 'select 1 as a\n'],
  [
    'a source table that is declared as another',
    'models/own.yml',
    () => 'sources:\n  - name: shop\n    schema: shop\n    tables: [{ name: rents, identifier: other }]\n',
  ],
])('check says what to do about %s, and that works', async (_, path, change) => {
  const { read, remove, run, write } = await shop()
  const before = path === PROPERTIES ? read(path) : undefined
  write(path, change(before ?? ''))
  widen(write)
  const { code, stdout } = await run('check', 'shop.*')
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /error\[conflict\] .*\n +(?:\d+ \|.*\n.*\n)? *= correct it by hand, then `stagecraft apply`; until then, `stagecraft apply --partial` writes the other files/,
  )
  expect(stdout).not.toContain('--conflict')
  for (const conflict of ['ours', 'theirs'])
    expect((await run('apply', 'shop.*', '--conflict', conflict)).code).not.toBe(0)
  expect(await run('apply', 'shop.*', '--partial')).toMatchObject({ code: 0 })
  expect(read(MODEL)).toContain('fee')
  if (before === undefined) remove(path)
  else write(path, before)
  expect(await run('apply', 'shop.*')).toMatchObject({ code: 0 })
  expect(await run('check', 'shop.*')).toMatchObject({ code: 0 })
})

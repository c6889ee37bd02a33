import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CliResult, runWarm, temporaryFolder } from './run-cli.ts'

const SOURCES = 'models/staging/shop/_shop__sources.yml'
const MODEL = 'models/staging/shop/stg_shop__orders.sql'

interface Shop {
  readonly run: (...command: readonly string[]) => Promise<CliResult>
  readonly read: (path: string) => string
  readonly write: (path: string, text: string) => void
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
  return { run, write, read: (path) => readFileSync(join(folder, path), 'utf8') }
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

test('a bare plan follows the schemas of stagecraft.yml with new tables, and with exclude only the lock', async () => {
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
  for (const left of ['exclude: true', 'tables: { fees: { exclude: true } }']) {
    const said = await planned(`sources: { shop: { ${left} } }\n`)
    expect(said).not.toContain('shop.fees')
    expect(said).toContain('shop.orders (stg_shop__orders)\n  - amount integer\n')
  }
})

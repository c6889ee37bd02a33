import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runWarm, temporaryFolder } from './run-cli.ts'

interface Shell {
  readonly folder: string
  readonly run: (
    ...command: readonly string[]
  ) => Promise<{ readonly code: number | null; readonly said: string }>
  /** Writes the table of the warehouse, and the settings of one. */
  readonly write: (files: {
    readonly table: string
    readonly column: string
    readonly config: string
  }) => void
  readonly model: () => string
  readonly edit: (change: (sql: string) => string) => void
}

const MODEL = 'models/staging/shop/stg_shop__orders.sql'

function shell(): Shell {
  const folder = temporaryFolder()
  const path = join(folder, MODEL)
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  return {
    folder,
    async run(...command) {
      const { code, stderr, stdout } = await runWarm(command, { folder })
      return { code, said: stdout + stderr }
    },
    write({ column, config, table }) {
      const columns = ['id', column, 'tax', 'note'].map((name) => ({ name, type: 'integer' }))
      const tables = [{ schema: 'shop', name: table, columns }]
      writeFileSync(join(folder, 'columns.yml'), JSON.stringify({ dialect: 'duckdb', tables }))
      writeFileSync(join(folder, 'stagecraft.yml'), `dialect: duckdb\ncatalog: columns.yml\n${config}`)
    },
    model: () => readFileSync(path, 'utf8'),
    edit: (change) => writeFileSync(path, change(readFileSync(path, 'utf8'))),
  }
}

const config = (table: string, column: string): string =>
  `sources: { shop: { tables: { ${table}: { columns: { ${column}: { as: cents, name: amount } } } } } }\n`

test('settings of a renamed table and column hold, and every command says which keys to rename', async () => {
  const { model, run, write } = shell()
  write({ table: 'orders', column: 'amount', config: config('orders', 'amount') })
  expect((await run('apply', '--all')).code).toBe(0)
  const before = model()
  expect(before).toContain('cast(amount / 100.0 as numeric(16, 2)) as amount')
  write({ table: 'orders_2026', column: 'amount', config: config('orders', 'amount') })
  const renamed = await run('apply', '--all')
  expect(renamed.said).toContain('rename the key to orders_2026')
  expect(renamed.said).not.toContain('has no effect')
  expect(model()).toBe(before)
  write({ table: 'orders_2026', column: 'amount_paid', config: config('orders', 'amount') })
  expect((await run('apply', '--all')).said).toContain('rename the key to amount_paid')
  expect(model()).toBe(before.replace('cast(amount ', 'cast(amount_paid '))
  expect((await run('check')).code).toBe(0)
  expect((await run('check', '--offline')).code).toBe(0)
  write({ table: 'orders_2026', column: 'amount_paid', config: config('orders_2026', 'amount_paid') })
  const mended = await run('plan')
  expect(mended.said).not.toContain('CONFIG_NOT_USED')
  expect(mended.said).toContain('plan: 3 unchanged')
})

test('a rename is told where only the new table is named, and a schema that is gone stops no plan', async () => {
  const folder = temporaryFolder()
  const warehouse = (...names: readonly string[]): void => {
    const columns = ['id', 'amount', 'tax', 'note'].map((name) => ({ name, type: 'integer' }))
    const tables = names.map((name) => {
      const [schema, table] = name.split('.')
      return { schema, name: table, columns: name.startsWith('crm') ? columns.slice(1) : columns }
    })
    writeFileSync(join(folder, 'columns.yml'), JSON.stringify({ dialect: 'duckdb', tables }))
  }
  const run = (...command: readonly string[]): ReturnType<typeof runWarm> => runWarm(command, { folder })
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'catalog: columns.yml\n')
  warehouse('shop.orders', 'crm.people')
  expect((await run('apply', '--all')).code).toBe(0)
  warehouse('shop.sales', 'crm.people')
  for (const name of ['shop.sales', 'shop.orders']) {
    const { stderr, stdout } = await run('plan', name, '--prune')
    expect(stdout).toContain('shop.sales (stg_shop__orders)\n  ~ orders was probably renamed to sales')
    expect(stdout).toMatch(/plan: 1 to update, 2 unchanged\n$/)
    expect(stderr).toContain('TABLE_RENAMED')
  }
  expect((await run('plan', 'shop.sales', '--out', 'plan.json')).code).toBe(0)
  expect((await run('apply', '--plan', 'plan.json')).code).toBe(0)
  expect((await run('plan')).stdout).toContain('plan: 6 unchanged')
  warehouse('crm.people')
  expect((await run('plan')).stdout).toContain('shop.sales is gone')
  warehouse()
  expect(await run('plan')).toMatchObject({ code: 3, stdout: '' })
})

test('a plan of whole schemas names settings of tables and schemas that are not there', async () => {
  const { run, write } = shell()
  const settings = 'sources: { shop: { tables: { ordres: { description: A } } }, shpo: { tables: {} } }\n'
  write({ table: 'orders', column: 'amount', config: settings })
  const all = await run('plan', '--all')
  expect(all.said).toContain('sources.shop.tables.ordres in the configuration has no effect')
  expect(all.said).toContain('sources.shpo in the configuration has no effect')
  const one = await run('plan', 'shop.*')
  expect(one.said).toContain('sources.shop.tables.ordres in the configuration has no effect')
  expect((await run('plan', 'shop.orders')).said).not.toContain('has no effect')
})

test('a model that another one reads outlives its table until nothing reads it', async () => {
  const folder = temporaryFolder()
  const tables = ['orders', 'bills'].map((name) => ({
    schema: 'shop',
    name,
    columns: [{ name: `${name}_id`, type: 'integer' }],
  }))
  const warehouse = (names: readonly string[]): void =>
    writeFileSync(
      join(folder, 'columns.yml'),
      JSON.stringify({ dialect: 'duckdb', tables: tables.filter(({ name }) => names.includes(name)) }),
    )
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'catalog: columns.yml\n')
  writeFileSync(join(folder, 'models/sales.sql'), "select * from {{ ref('stg_shop__bills') }}\n")
  warehouse(['orders', 'bills'])
  expect((await runWarm(['apply', '--all'], { folder })).code).toBe(0)
  warehouse(['orders'])
  const planned = await runWarm(['plan', '--all', '--prune'], { folder })
  expect(planned.stdout).toContain('models/sales.sql reads it, so it is not removed')
  const kept = await runWarm(['apply', '--all', '--prune'], { folder })
  expect(kept.stderr).toContain('MODEL_STILL_READ')
  const model = join(folder, 'models/staging/shop/stg_shop__bills.sql')
  expect(existsSync(model)).toBe(true)
  writeFileSync(join(folder, 'models/sales.sql'), 'select 1 as one\n')
  expect((await runWarm(['apply', '--all', '--prune'], { folder })).code).toBe(0)
  expect(existsSync(model)).toBe(false)
})

test('a model that was changed by hand is explained as it is', async () => {
  const { edit, run, write } = shell()
  write({ table: 'orders', column: 'amount', config: '' })
  expect((await run('apply', '--all')).code).toBe(0)
  edit((sql) => sql.replace('amount,', 'amount * 2 as twice,'))
  const { said } = await run('explain', 'stg_shop__orders.twice', '--offline')
  expect(said).toContain(
    'models/staging/shop/stg_shop__orders.sql selects it so by hand; amount would be generated [value.project, project]',
  )
  const whole = await run('explain', 'stg_shop__orders', '--offline')
  expect(whole.said).toContain('shop\n            it is the schema')
})

test('undo names the command that it takes back', async () => {
  const { run, write } = shell()
  write({ table: 'orders', column: 'amount', config: '' })
  expect((await run('apply', '--all')).code).toBe(0)
  expect((await run('forget', 'shop.orders')).code).toBe(0)
  expect((await run('undo')).said).toContain('undid the last forget; undo again to repeat it')
  expect((await run('undo')).said).toContain('repeated the last forget; undo again to undo it')
  expect((await run('apply', '--all')).code).toBe(0)
  expect((await run('plan', 'shop.orders')).said).not.toContain('create')
})

test('check tells a deleted file, a moved one and one that stays from a new one', async () => {
  const { folder, run, write } = shell()
  write({ table: 'orders', column: 'amount', config: '' })
  await run('apply', '--all')
  rmSync(join(folder, MODEL))
  const deleted = await run('check')
  expect(deleted.said).toContain(`${MODEL}:1:1 error[deleted] the file was deleted\n`)
  expect(deleted.said).toContain('`stagecraft apply` writes it again, and `stagecraft forget` stops that')
  await run('apply')
  const folderSetting = 'naming: { types: { staging: { folder: "models/elsewhere" } } }\n'
  write({ table: 'orders', column: 'amount', config: folderSetting })
  const moved = await run('check')
  expect(moved.said).toContain(
    'models/elsewhere/stg_shop__orders.sql:1:1 error[outdated] the configuration places a file here',
  )
  expect(moved.said).toContain('`stagecraft apply --prune` moves it here')
  expect(moved.said).not.toContain('does not exist yet')
  expect((await run('apply', '--prune')).code).toBe(0)
  expect((await run('check')).code).toBe(0)
  write({ table: 'other', column: 'x', config: '' })
  appendFileSync(join(folder, 'models/elsewhere/stg_shop__orders.sql'), '-- mine\n')
  expect((await run('check')).said).toContain(
    'edited by hand, so it is not removed: delete it by hand, or `stagecraft forget` stops',
  )
})

test('check says what stays without --prune in a file that apply changes too', async () => {
  const { folder, run } = shell()
  const write = (...tables: readonly object[]): void =>
    writeFileSync(join(folder, 'columns.yml'), JSON.stringify({ dialect: 'duckdb', tables }))
  const table = (name: string, ...columns: readonly string[]): object => ({
    schema: 'shop',
    name,
    columns: columns.map((column) => ({ name: column, type: 'integer' })),
  })
  writeFileSync(join(folder, 'stagecraft.yml'), 'catalog: columns.yml\n')
  write(table('orders', 'id', 'tax'), table('rents', 'id', 'fee'))
  expect((await run('apply', '--all')).code).toBe(0)
  write(table('orders', 'id', 'tax', 'weight'))
  const there = 'the file still has rents, fee, which are missing from the warehouse\n'
  const remedy = '  = `stagecraft apply --prune` removes them from the file; without `--prune` they stay\n'
  const before = (await run('check')).said
  expect(before).toContain('_shop__sources.yml:1:1 error[outdated] the file is out of date\n')
  expect(before).toContain(`_shop__sources.yml:1:1 error[outdated] ${there}${remedy}`)
  await run('apply')
  const after = (await run('check')).said
  expect(after).not.toContain('is out of date')
  expect(after).toContain(`_shop__sources.yml:1:1 error[outdated] ${there}${remedy}`)
  await run('apply', '--prune')
  expect((await run('check')).said).toContain('no findings')
})

test('warnings of what stops dbt come first', async () => {
  const { folder, run } = shell()
  const write = (...names: readonly string[]): void => {
    const columns = names.map((name) => ({ name, type: 'integer' }))
    const tables = [{ schema: 'shop', name: 'orders', columns }]
    writeFileSync(join(folder, 'columns.yml'), JSON.stringify({ dialect: 'duckdb', tables }))
  }
  const unused = Array.from({ length: 30 }, (_, index) => `x${index}: {}`).join(', ')
  writeFileSync(
    join(folder, 'stagecraft.yml'),
    `catalog: columns.yml\nsources: { shop: { tables: { ${unused} } } }\n`,
  )
  write('id', 'tax', 'fee')
  await run('apply', '--all')
  write('id', 'fee')
  const { said } = await run('plan')
  const warnings = said.match(/^warning\[.*/gm) ?? []
  expect(warnings.length).toBeGreaterThan(1)
  expect(warnings[0]).toBe(
    'warning[COLUMN_GONE] shop.orders no longer has tax, but stg_shop__orders still reads it, so dbt fails; --prune removes the code generated for it',
  )
})

test('a plan names what changed in a comment, a nullability and a key', async () => {
  const { folder, run } = shell()
  const table = (column: object, others: object): void =>
    writeFileSync(
      join(folder, 'columns.yml'),
      JSON.stringify({
        dialect: 'duckdb',
        tables: [
          { schema: 'shop', name: 'orders', columns: [{ name: 'a', type: 'integer', ...column }], ...others },
        ],
      }),
    )
  writeFileSync(join(folder, 'stagecraft.yml'), 'catalog: columns.yml\n')
  table({}, { uniqueKeys: [['a']] })
  await run('apply', '--all')
  table({ nullable: false, comment: 'The letter' }, { primaryKey: ['a'], uniqueKeys: [['a']] })
  const changed = (await run('plan')).said
  expect(changed).toContain('  ~ a: now not null\n  ~ a: comment added: The letter\n')
  expect(changed).toContain('  ~ table: key added: primary key (a)\n')
  await run('apply')
  table({ comment: 'A letter' }, {})
  const back = (await run('plan')).said
  expect(back).toContain('  ~ a: now nullable\n  ~ a: comment The letter → A letter\n')
  expect(back).toContain('  ~ table: key removed: primary key (a); unique (a)\n')
})

test('a model of a person is named as that, and only one model can follow a table', async () => {
  const { folder, run, write } = shell()
  write({ table: 'orders', column: 'amount', config: '' })
  writeFileSync(join(folder, 'models/mine.sql'), "select id from {{ source('shop', 'orders') }}\n")
  writeFileSync(
    join(folder, 'models/sources.yml'),
    'sources: [{ name: shop, schema: shop, tables: [{ name: orders }] }]\n',
  )
  expect((await run('plan', 'shop.orders')).said).toContain('shop.orders has your model mine\n')
  const { said } = await run('check', 'shop.orders')
  expect(said).toMatch(
    /models\/mine\.sql:1:1 info\[foreign\][^]*`stagecraft adopt` makes it follow its table/,
  )
  expect(said).toMatch(
    /models\/sources\.yml:1:1 info\[foreign\] .*\n {2}= nothing to do: its entries are used/,
  )
  writeFileSync(join(folder, 'models/second.sql'), "select 1 as one from {{ source('shop', 'orders') }}\n")
  expect((await run('adopt', 'models/mine.sql')).said).toContain('adopted models/mine.sql\n')
  expect(await run('adopt', 'models/mine.sql')).toEqual({
    code: 0,
    said: 'models/mine.sql already follows its table\n',
  })
  expect((await run('adopt', 'models/second.sql')).said).toContain(
    'models/second.sql: mine follows shop.orders; run stagecraft forget mine first\n',
  )
})

test('plan and check count an interrupted apply as done, and the next apply finishes it', async () => {
  const { folder, model, run, write } = shell()
  write({ table: 'orders', column: 'amount', config: '' })
  expect((await run('apply', '--all')).code).toBe(0)
  const [before, lock] = [model(), readFileSync(join(folder, 'stagecraft.lock'), 'utf8')]
  write({ table: 'orders', column: 'price', config: '' })
  expect((await run('apply')).code).toBe(0)
  const after = model()
  interrupt(folder, [
    ['models/staging/shop/stg_shop__orders.sql', before],
    ['stagecraft.lock', lock],
  ])
  const note = 'note an interrupted apply of 2 files counts as done; stagecraft apply finishes it\n'
  for (const command of ['plan', 'check']) {
    const { code, said } = await run(command)
    expect({ code, notes: said.split(note).length - 1 }).toEqual({ code: 0, notes: 1 })
    expect(model()).toBe(before)
  }
  expect((await run('apply')).said).toContain('note finished the interrupted apply of 2 files\n')
  expect(model()).toBe(after)
})

/** Puts the earlier texts of files back as a process does that is killed right after it decided to replace them. */
function interrupt(folder: string, earlier: readonly (readonly [path: string, text: string])[]): void {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
  const shared = join(folder, '.stagecraft/apply')
  mkdirSync(shared)
  const steps = earlier.map(([path, before], index) => {
    const after = readFileSync(join(folder, path), 'utf8')
    writeFileSync(join(shared, `${index}.txt`), after)
    writeFileSync(join(folder, path), before)
    return { path, before: hash(before), after: hash(after) }
  })
  writeFileSync(join(shared, 'journal.json'), JSON.stringify({ process: 2 ** 30, steps }))
}

test('kept texts are those that merges and undo need', async () => {
  const { edit, folder, model, run, write } = shell()
  const kept = (): readonly string[] => readdirSync(join(folder, '.stagecraft/base'))
  write({ table: 'orders', column: 'amount', config: '' })
  await run('apply', '--all')
  const sizes = [kept().length]
  for (const column of ['a', 'b', 'c', 'd', 'e']) {
    write({ table: 'orders', column, config: config('orders', column) })
    expect((await run('apply', '--prune')).code).toBe(0)
    sizes.push(kept().length)
  }
  expect(new Set(sizes.slice(1)).size).toBe(1)
  await run('undo')
  edit((sql) => `${sql}-- mine\n`)
  write({ table: 'orders', column: 'f', config: config('orders', 'f') })
  expect((await run('apply', '--prune')).code).toBe(0)
  expect(model()).toMatch(/cast\(f [^]*-- mine\n$/)
})

test('a table with a quote in its name is adopted again after it was forgotten', async () => {
  const folder = temporaryFolder()
  const run = (...command: readonly string[]): ReturnType<typeof runWarm> => runWarm(command, { folder })
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  const tables = [{ schema: 'ra"w', name: 'a"b', columns: [{ name: 'id', type: 'integer' }] }]
  writeFileSync(join(folder, 'columns.yml'), JSON.stringify({ dialect: 'postgres', tables }))
  writeFileSync(join(folder, 'stagecraft.yml'), 'catalog: columns.yml\n')
  expect(await run('apply', '--all')).toMatchObject({ code: 0 })
  const model = readdirSync(join(folder, 'models/staging'), { recursive: true })
    .map(String)
    .find((name) => name.endsWith('.sql'))
  const path = join('models/staging', model ?? '')
  expect(await run('forget', path)).toMatchObject({ code: 0 })
  const adopted = await run('adopt', path)
  expect(adopted.stderr).toContain(`adopted ${path}`)
  expect(adopted.code).toBe(0)
  expect((await run('plan', '--all', '--exit-code')).code).toBe(0)
})

test('one setting that is not possible costs no more than itself, and is named', async () => {
  const { model, run, write } = shell()
  const settings = `sources:
  shop:
    tables:
      orders: { key: [nope], loadedAt: gone, columns: { id: { as: date }, amount: { as: cents } } }
`
  write({ table: 'orders', column: 'amount', config: settings })
  const planned = await run('apply', '--all')
  expect(planned.code).toBe(0)
  for (const said of [
    'warning[CONFIG_NOT_USED] stg_shop__orders: sources.shop.tables.orders.key in the configuration has no effect: the table has no column nope',
    'sources.shop.tables.orders.loadedAt in the configuration has no effect: the table has no column gone',
    'warning[CONVERSION_NOT_POSSIBLE] stg_shop__orders: sources.shop.tables.orders.columns.id.as: a duckdb column of type integer cannot be converted to "date"',
  ])
    expect(planned.said).toContain(said)
  expect(model()).toContain('cast(amount / 100.0 as numeric(16, 2)) as amount')
  expect(model()).toContain('id as order_id')
  expect((await run('generate', 'shop.*')).said).toContain('warning[CONVERSION_NOT_POSSIBLE]')
  expect((await run('explain', 'stg_shop__orders.order_id', '--offline')).said).toContain(
    'stagecraft.yml says that it holds date, but integer cannot be converted to that',
  )
})

test('a table of which no columns are known is not taken for one that is gone', async () => {
  const folder = temporaryFolder()
  const write = (columns: readonly object[]): void =>
    writeFileSync(
      join(folder, 'columns.yml'),
      JSON.stringify({
        dialect: 'duckdb',
        tables: [
          { schema: 'shop', name: 'orders', columns: [{ name: 'id', type: 'integer' }] },
          { schema: 'shop', name: 'bills', columns },
        ],
      }),
    )
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'catalog: columns.yml\n')
  write([{ name: 'id', type: 'integer' }])
  expect((await runWarm(['apply', '--all'], { folder })).code).toBe(0)
  write([])
  const pruned = await runWarm(['apply', '--all', '--prune'], { folder })
  expect(pruned.stderr).toContain('TABLE_LEFT_OUT')
  expect(existsSync(join(folder, 'models/staging/shop/stg_shop__bills.sql'))).toBe(true)
})

test('a file of the project that nobody can read is named, and the rest is planned', async () => {
  const { folder, run, write } = shell()
  write({ table: 'orders', column: 'amount', config: '' })
  writeFileSync(join(folder, 'models/bad.yml'), 'models:\n  - name: x\n  bad: [\n')
  symlinkSync('.', join(folder, 'models/round'))
  const planned = await run('plan', '--all')
  expect(planned.code).toBe(0)
  expect(planned.said).toContain('warning[PROJECT_PARTLY_READ] models/bad.yml:3 was not read: ')
  expect(planned.said).toContain('warning[PROJECT_PARTLY_READ] models/round was not read: it is a link to')
  expect(planned.said).toContain('plan: 3 to create')
})

test('a table that no snapshot can be made of stands in the way of no other one, unless it is named', async () => {
  const folder = temporaryFolder()
  const run = (...command: readonly string[]): ReturnType<typeof runWarm> => runWarm(command, { folder })
  const warehouse = (key: string): void => {
    const columns = (...names: readonly string[]): readonly object[] =>
      names.map((name) => ({ name, type: 'integer' }))
    const tables = [
      { schema: 'shop', name: 'orders', columns: columns(key, 'amount') },
      { schema: 'shop', name: 'log', columns: columns('text', 'level') },
      { schema: 'shop', name: 'bills', columns: columns('id', 'sum') },
    ]
    writeFileSync(join(folder, 'columns.yml'), JSON.stringify({ dialect: 'duckdb', tables }))
  }
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'catalog: columns.yml\n')
  warehouse('id')
  const applied = await run('apply', 'shop.*', '--type', 'snapshot')
  expect(applied.code).toBe(0)
  expect(applied.stderr).toContain(
    'warning[TABLE_LEFT_OUT] shop.log is left out: type "snapshot" needs a table with a key',
  )
  expect(readdirSync(join(folder, 'snapshots/shop')).toSorted()).toEqual([
    '_shop__snapshots.yml',
    'snap_shop__bills.sql',
    'snap_shop__orders.sql',
  ])
  const generated = await run('generate', 'shop.*', '--type', 'snapshot')
  expect(generated).toMatchObject({ code: 0 })
  expect(generated.stderr).toContain('shop.log is left out')
  expect(await run('plan', 'shop.log', '--type', 'snapshot')).toMatchObject({ code: 2, stdout: '' })
  warehouse('nothing')
  const again = await run('plan', '--type', 'snapshot', '--prune')
  expect(again.stderr).toContain('shop.orders is left out')
  expect(again.stdout).toContain('plan: 3 unchanged')
})

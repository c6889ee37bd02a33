// What a person wrote in properties files, and tables that the configuration excludes, as the commands report them.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runWarm, temporaryFolder } from './run-cli.ts'

const MODELS = 'models/staging/shop/_shop__models.yml'

interface Shell {
  readonly folder: string
  readonly run: (
    ...command: readonly string[]
  ) => Promise<{ readonly code: number | null; readonly said: string }>
  readonly write: (tables: Readonly<Record<string, readonly string[]>>) => void
  readonly edit: (from: string, to: string) => void
}

function shell(): Shell {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: duckdb\ncatalog: columns.yml\n')
  return {
    folder,
    async run(...command) {
      const { code, stderr, stdout } = await runWarm(command, { folder })
      return { code, said: stdout + stderr }
    },
    write(tables) {
      const found = Object.entries(tables).map(([name, columns]) => ({
        schema: 'shop',
        name,
        primaryKey: ['id'],
        columns: columns.map((column) => ({ name: column, type: 'integer', comment: `Its ${column}` })),
      }))
      writeFileSync(join(folder, 'columns.yml'), JSON.stringify({ dialect: 'duckdb', tables: found }))
    },
    edit(from, to) {
      const text = readFileSync(join(folder, MODELS), 'utf8')
      expect(text).toContain(from)
      writeFileSync(join(folder, MODELS), text.replace(from, to))
    },
  }
}

test('check names the entries of YAML that a person edited, through plan, apply and undo', async () => {
  const { edit, folder, run, write } = shell()
  const text = (): string => readFileSync(join(folder, MODELS), 'utf8')
  write({ orders: ['id', 'tax', 'fee'], rents: ['id', 'fee'] })
  await run('apply', '--all')
  const generated = text()
  edit('- name: tax\n', '- name: tax\n        meta: { owner: me }\n')
  const added = await run('check')
  expect(added.code).toBe(0)
  expect(added.said).toMatch(
    /_shop__models\.yml:\d+:1 info\[added\] stg_shop__orders: added by hand: meta of tax\n {2}= nothing to do\n/,
  )
  expect(added.said).not.toContain('[edited]')
  expect((await run('plan')).said).toBe('plan: 4 unchanged\n')
  edit('Its fee', 'What we ask')
  const changed = await run('check', '--offline')
  expect(changed.code).toBe(0)
  expect(changed.said).toMatch(
    /:\d+:1 info\[edited\] stg_shop__orders: edited by hand: description of fee changed\n/,
  )
  expect(changed.said).toContain('[added] stg_shop__orders')
  expect(changed.said).not.toContain('stg_shop__rents')
  expect((await run('plan')).said).toContain(
    `unchanged  ${MODELS}\n           stg_shop__orders: edited by hand: description of fee changed\n`,
  )
  const edited = text()
  write({ orders: ['id', 'tax', 'fee', 'tip'], rents: ['id', 'fee'] })
  const drifted = await run('check')
  expect(drifted.code).toBe(1)
  expect(drifted.said).toContain('description of fee changed\n  = `stagecraft apply` keeps what you wrote\n')
  expect((await run('apply')).code).toBe(0)
  expect(text()).toMatch(/What we ask[^]*name: tip/)
  const followed = await run('check')
  expect(followed.code).toBe(0)
  expect(followed.said).toContain('edited by hand: description of fee changed')
  expect((await run('undo')).code).toBe(0)
  expect(text()).toBe(edited)
  writeFileSync(join(folder, MODELS), generated)
  expect((await run('apply')).code).toBe(0)
  expect((await run('check')).said).toContain('no findings')
})

const RENTS = 'models/staging/shop/stg_shop__rents.sql'
const EXCLUDED: Readonly<Record<string, string>> = {
  'the table': 'sources: { shop: { tables: { rents: { exclude: true } } } }\n',
  'the schema': 'sources: { shop: { exclude: true } }\n',
}

/** Excludes a table, or its schema, after its model was generated. */
async function excluding(setting: string): Promise<Shell> {
  const project = shell()
  project.write({ orders: ['id'], rents: ['id', 'fee'] })
  expect((await project.run('apply', '--all')).code).toBe(0)
  writeFileSync(
    join(project.folder, 'stagecraft.yml'),
    `dialect: duckdb\ncatalog: columns.yml\n${EXCLUDED[setting] ?? ''}`,
  )
  return project
}

test.each(Object.keys(EXCLUDED))('a followed table is said to be excluded, not gone: %s', async (setting) => {
  const { run, write } = await excluding(setting)
  for (const command of [['check'], ['check', '--offline']]) {
    const { code, said } = await run(...command)
    expect(code).toBe(0)
    expect(said).toContain(
      `${RENTS}:1:1 warning[excluded] shop.rents is excluded by stagecraft.yml, so its model no longer follows it\n`,
    )
    expect(said).toContain('= `stagecraft apply --prune` removes the model, and `stagecraft forget` keeps it')
    expect(said).not.toContain('no longer exists')
    expect(said).not.toContain('out of date')
  }
  write({ orders: ['id'], rents: ['id', 'fee', 'tax'] })
  const plan = (await run('plan')).said
  expect(plan).toContain(
    'shop.rents (stg_shop__rents) is excluded by stagecraft.yml\n  its files stay as they are; --prune removes them',
  )
  expect(plan).not.toContain('is gone')
  expect(plan).not.toContain('tax')
  expect((await run('check')).said).not.toContain('tax')
  const named = (await run('plan', 'shop.rents')).said
  expect(named).toContain('+ tax integer')
  expect(named).not.toContain('excluded')
  expect((await run('plan', '--json')).said).toContain('"excluded"')
})

test('pruning removes the model of an excluded table and its entries, and undo brings them back', async () => {
  const { folder, run } = await excluding('the table')
  const entries = (): string => readFileSync(join(folder, MODELS), 'utf8')
  const before = entries()
  expect((await run('apply')).said).toContain('applied: 3 unchanged')
  expect(existsSync(join(folder, RENTS))).toBe(true)
  const pruned = (await run('plan', '--prune')).said
  expect(pruned).toContain('shop.rents (stg_shop__rents) is excluded by stagecraft.yml\n')
  expect(pruned).toContain(`remove     ${RENTS}\n`)
  expect((await run('apply', '--prune')).code).toBe(0)
  expect(existsSync(join(folder, RENTS))).toBe(false)
  expect(entries()).not.toContain('rents')
  expect((await run('check')).said).toContain('no findings')
  expect((await run('undo')).code).toBe(0)
  expect(entries()).toBe(before)
  expect((await run('check')).said).toContain('warning[excluded]')
  expect((await run('forget', 'shop.rents')).code).toBe(0)
  expect((await run('check')).said).toContain('no findings')
  expect(existsSync(join(folder, RENTS))).toBe(true)
})

test('a table that is excluded and deleted is not said to be gone', async () => {
  const { run, write } = await excluding('the table')
  write({ orders: ['id'] })
  const { said } = await run('check')
  expect(said).toContain('warning[excluded] shop.rents')
  expect(said).not.toContain('error[gone]')
})

test('forget says which tables come back because their schema is followed, and how to stop that', async () => {
  const { folder, run, write } = shell()
  const configure = (sources: string): void =>
    writeFileSync(
      join(folder, 'stagecraft.yml'),
      `dialect: duckdb\ncatalog: columns.yml\nsources: ${sources}\n`,
    )
  const forgetDeleted = async (): Promise<string> => {
    rmSync(join(folder, RENTS))
    expect((await run('check')).said).toContain('`stagecraft forget` stops that, with `exclude: true`')
    return (await run('forget', 'shop.rents')).said
  }
  const isThere = async (): Promise<boolean> => {
    expect((await run('apply')).code).toBe(0)
    return existsSync(join(folder, RENTS))
  }
  write({ orders: ['id'], rents: ['id', 'fee'] })
  configure('{ shop: {} }')
  expect(await isThere()).toBe(true)
  expect(await forgetDeleted()).toContain(
    'so the next apply writes a model again for shop.rents; exclude: true',
  )
  expect(await isThere()).toBe(true)
  rmSync(join(folder, RENTS))
  configure(EXCLUDED['the table']?.replace('sources: ', '') ?? '')
  expect((await run('forget', 'shop.rents')).said).toBe('forgot shop.rents; its files stay\n')
  expect(await isThere()).toBe(false)
  configure('{}')
  expect((await run('apply', 'shop.rents')).code).toBe(0)
  expect(await forgetDeleted()).toBe('forgot shop.rents; its files stay\n')
  expect(await isThere()).toBe(false)
})

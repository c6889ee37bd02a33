// What a person wrote in properties files, and tables that the configuration excludes, as the commands report them.
import { readFileSync, writeFileSync } from 'node:fs'
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

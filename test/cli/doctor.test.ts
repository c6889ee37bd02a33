import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { runWarm, temporaryFolder } from './run-cli.ts'

function project(path: string): string {
  const folder = temporaryFolder()
  const database = new DatabaseSync(join(folder, 'raw.db'))
  database.exec('create table orders (id integer primary key); insert into orders values (1), (2)')
  database.close()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\nprofile: shop\n')
  writeFileSync(
    join(folder, 'profiles.yml'),
    `shop: { target: dev, outputs: { dev: { type: sqlite, schema: main, schemas_and_paths: { main: ${path} } } } }\n`,
  )
  return folder
}

test('goes through the catalog of the profile around, and prints each step', async () => {
  const { code, stdout } = await runWarm(['doctor'], { folder: project('raw.db') })
  expect(stdout).toMatch(/^stagecraft \d+\.\d+\.\d+, Node v\d+/)
  expect(stdout).toMatch(/^ok {4}tables +1 tables with 1 columns in 1 schemas \(\d+ ms\)$/m)
  expect(stdout).toMatch(/^ok {4}rows +2 rows of "main"\."orders" \(\d+ ms\)$/m)
  expect(stdout).toMatch(/^skip {2}cancel/m)
  expect(code).toBe(0)
})

test('exits with 1 where a step fails, and says it to programs, too', async () => {
  const folder = project('gone.db')
  const { code, stdout } = await runWarm(['doctor', '--json'], { folder })
  expect(code).toBe(1)
  const { steps } = JSON.parse(stdout) as {
    readonly steps: readonly { readonly name: string; readonly outcome: string }[]
  }
  expect(steps.at(-1)).toMatchObject({
    name: 'connect',
    outcome: 'fails',
    remedy: expect.any(String) as string,
  })
})

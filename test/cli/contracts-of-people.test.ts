// dbt needs the type of every column of a model whose contract is enforced, whoever enforces it and wherever.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runWarm, temporaryFolder } from './run-cli.ts'

const [MODEL, YAML] = ['stg_shop__orders.sql', '_shop__models.yml'].map(
  (name) => `models/staging/shop/${name}`,
) as [string, string]
const tableOf = (...columns: readonly string[]): string =>
  `create table shop.orders (id bigint primary key, ${columns.join(', ')});\n`

interface Properties {
  readonly models: readonly {
    readonly columns: readonly { readonly name: string; readonly data_type?: string }[]
  }[]
}

test.each([
  ['its SQL', MODEL, (text: string) => `{{ config(contract={'enforced': true}) }}\n${text}`],
  [
    'its properties',
    YAML,
    (text: string) =>
      text.replace(
        '    description:',
        '    config:\n      contract:\n        enforced: true\n    description:',
      ),
  ],
  [
    'dbt_project.yml',
    'dbt_project.yml',
    (text: string) => `${text}models:\n  acme:\n    staging:\n      +contract:\n        enforced: true\n`,
  ],
])('a model whose contract %s enforces gets the types of its columns', async (_, path, enforce) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'models'))
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  write('dbt_project.yml', 'name: acme\nprofile: acme\n')
  write('stagecraft.yml', 'catalog: schema.sql?dialect=postgres\n')
  write('schema.sql', tableOf('status text'))
  expect(await runWarm(['apply', 'shop.*'], { folder })).toMatchObject({ code: 0 })
  expect(read(YAML)).not.toContain('data_type')
  write(path, enforce(read(path)))
  write('schema.sql', tableOf('status text', 'paid numeric(10,2)'))
  expect(await runWarm(['apply'], { folder })).toMatchObject({ code: 0 })
  const { models } = parse(read(YAML)) as Properties
  const types = models[0]?.columns.map(({ data_type: type, name }) => [name, type])
  expect(Object.fromEntries(types ?? [])).toEqual({
    order_id: 'bigint',
    status: 'text',
    paid: 'numeric(10,2)',
  })
  expect(await runWarm(['check'], { folder })).toMatchObject({ code: 0 })
})

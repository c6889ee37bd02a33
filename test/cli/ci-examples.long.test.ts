import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { repositoryPath } from '../paths.ts'
import { runCli, temporaryFolder } from './run-cli.ts'

const PAGE = readFileSync(repositoryPath('docs/how-to/keep-a-project-up-to-date.md'), 'utf8')
const HOOKS = parse(readFileSync(repositoryPath('.pre-commit-hooks.yaml'), 'utf8')) as readonly {
  readonly entry: string
}[]

/** Every check in the examples of the page, and in the hooks. */
function commands(): readonly string[] {
  const blocks = [...PAGE.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => parse(text) as unknown)
  return [...textsIn(blocks), ...HOOKS.map(({ entry }) => entry)].filter((text) =>
    text.startsWith('stagecraft check'),
  )
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

test('the examples for continuous integration run, and fail where files are out of date', async () => {
  const folder = temporaryFolder()
  const columns =
    'tables:\n  - schema: shop\n    name: orders\n    columns:\n      - { name: id, type: integer }\n'
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\nversion: 1.0.0\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: duckdb\ncatalog: columns.yml\n')
  writeFileSync(join(folder, 'columns.yml'), columns)
  expect(await runCli(['apply', 'shop.*'], { folder })).toMatchObject({ code: 0 })
  const examples = commands().map((text) =>
    text
      .replace(/ > .*$/, '')
      .split(' ')
      .slice(1),
  )
  expect(examples).toHaveLength(3)
  const codes = (): Promise<readonly (number | null)[]> =>
    Promise.all(examples.map(async (parameters) => (await runCli(parameters, { folder })).code))
  expect(await codes()).toEqual([0, 0, 0])
  writeFileSync(
    join(folder, 'stagecraft.yml'),
    'dialect: duckdb\ncatalog: columns.yml\noptions: { materialized: table }\n',
  )
  expect(await codes()).toEqual([1, 1, 1])
})

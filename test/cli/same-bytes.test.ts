import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { goldenFolder } from '../paths.ts'
import { readFolder, runCli, temporaryFolder } from './run-cli.ts'

interface GoldenInput {
  readonly items?: readonly { readonly table: { readonly columns: readonly object[] } }[]
}

/** The tables of every golden case that gives files, each under a name of its own. */
function everyTable(): string {
  const cases = readdirSync(goldenFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'expected')
    .map(dirname)
    .toSorted()
  const tables = cases.flatMap((path) => {
    const { items = [] } = JSON.parse(
      readFileSync(join(goldenFolder, path, 'input.json'), 'utf8'),
    ) as GoldenInput
    return items.map(({ table }, index) => ({
      ...table,
      schema: 'raw',
      name: `${path} ${index}`,
      foreignKeys: [],
    }))
  })
  return JSON.stringify({ tables })
}

async function generateAll(env: Readonly<Record<string, string>>, lineEnd: string): Promise<object> {
  const folder = temporaryFolder()
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text.replaceAll('\n', lineEnd))
  }
  write('columns.json', everyTable())
  write(
    'stagecraft.yml',
    'dialect: postgres\ntemplates:\n  rows.sql: rows.njk\nnaming:\n  words: [fiş, ınvoice]\n',
  )
  write('rows.njk', readFileSync(join(goldenFolder, '../../templates/dbt-labs/rows.sql.njk'), 'utf8'))
  write('dbt_project.yml', 'name: raw\nversion: 1.0.0\nmodel-paths:\n  - models\n')
  const { code, stderr } = await runCli(['generate', '--all', '--catalog', 'columns.json', '--out', '.'], {
    folder,
    env,
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
  const files = readFolder(join(folder, 'models'))
  expect(Object.keys(files).length).toBeGreaterThan(100)
  return files
}

test('the same input gives the same bytes whatever locale, time zone and line ends', async () => {
  const [plain, turkish, swedish] = await Promise.all([
    generateAll({ LC_ALL: 'C', TZ: 'UTC' }, '\n'),
    generateAll({ LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' }, '\n'),
    generateAll({ LC_ALL: 'sv_SE.UTF-8', TZ: 'America/St_Johns' }, '\r\n'),
  ])
  expect(JSON.stringify(plain)).not.toContain(String.raw`\r`)
  expect(turkish).toEqual(plain)
  expect(swedish).toEqual(plain)
})

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { readFolder, runCli, temporaryFolder } from './run-cli.ts'

const catalog = repositoryPath('test/cli/columns.yml')

describe('stagecraft', () => {
  test('prints help with examples, and its version', async () => {
    const help = await runCli(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/Examples:\n {2}\$ stagecraft /)
    const { version } = JSON.parse(readFileSync(repositoryPath('packages/cli/package.json'), 'utf8')) as {
      version: string
    }
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('without a command shows the help and fails', async () => {
    expect(await runCli([])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Usage:') })
  })

  test.each([
    [['genrate'], "command 'genrate' (Did you mean generate?)"],
    [['gen'], "command 'gen' (Did you mean generate?)"],
    [['g'], "command 'g' (Did you mean generate or golden?)"],
    [['keys', 'li'], "command 'li' (Did you mean list?)"],
    [['generate', '--dial'], "option '--dial' (Did you mean --dialect?)"],
    [['generate', '--catlog'], "option '--catlog' (Did you mean --catalog?)"],
    [['nothing'], "command 'nothing'\n"],
  ])('suggests what was meant by %j', async (parameters, text) => {
    const { code, stderr } = await runCli(parameters)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`unknown ${text}`) as string,
    })
  })
})

describe('tables', () => {
  test('lists the tables of a catalog', async () => {
    expect(await runCli(['tables', '--catalog', catalog, 'shop.*'])).toEqual({
      code: 0,
      stdout:
        'shop.customers  table, 3 columns, key (id)\nshop.orders     table, 3 columns, key (id), 1 foreign key\n',
      stderr: '',
    })
  })

  test('prints all that is known as JSON', async () => {
    const { stdout } = await runCli(['tables', '--catalog', catalog, '--json', 'crm.*'])
    expect(JSON.parse(stdout)).toEqual([
      {
        dialect: 'postgres',
        schema: 'crm',
        name: 'accounts',
        columns: [{ name: 'id', type: 'bigint', nullable: false }],
      },
    ])
  })

  test('takes a schema by its name', async () => {
    const { stdout } = await runCli(['tables', 'shop', '--catalog', catalog])
    expect(stdout).toMatch(/^shop\.customers .*\nshop\.orders /)
  })

  test('fails for a schema that is not there', async () => {
    const { code, stderr } = await runCli(['tables', '--catalog', catalog, 'shp.*'])
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('did you mean') as string })
  })
})

describe('config --print', () => {
  test('fills in the defaults', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: trino\noptions:\n  casts: none\n')
    const { code, stdout } = await runCli(['config', '--print'], { folder })
    expect(code).toBe(0)
    expect(stdout).toMatch(/dialect: trino\n(?:.*\n)*options:\n(?:.*\n)* {2}casts: none\n/)
    expect(stdout).toContain('deletedRows: filter')
  })

  test('names the line of a fault', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: trino\noptions:\n  cast: none\n')
    const { code, stderr } = await runCli(['config', '--print'], { folder })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/line 3, options\.cast: expected one of the keys /) as string,
    })
  })
})

describe('golden', () => {
  const name = 'options/deleted_rows_flag_beside_a_time'

  test('passes over cases that are as recorded', async () => {
    const { code, stdout } = await runCli(['golden', repositoryPath(`test/golden/${name}`)])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 case, none differs\n' })
  })

  test('shows what differs, and records it when asked', async () => {
    const folder = temporaryFolder()
    cpSync(repositoryPath(`test/golden/${name}`), folder, { recursive: true })
    const input = join(folder, 'input.json')
    writeFileSync(input, readFileSync(input, 'utf8').replaceAll('bigint', 'int'))
    const different = await runCli(['golden', folder])
    expect(different.code).toBe(1)
    expect(different.stdout).toMatch(/^- +data_type: bigint\n\+ +data_type: int$/m)
    expect(different.stdout).toContain('1 case, 1 differs')
    const updated = await runCli(['golden', folder, '--update'])
    expect(updated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^recorded /) as string })
    expect(await runCli(['golden', folder])).toMatchObject({ code: 0 })
    expect(JSON.stringify(readFolder(folder))).not.toContain('bigint')
  })

  test('takes the configuration of the project around the folder', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'cases/one'), { recursive: true })
    writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: duckdb\nnaming:\n  entity: singular\n')
    const table = { columns: [{ name: 'id', type: 'integer' }] }
    const input = { items: [{ request: { type: 'staging', source: 'shop.orders' }, table }] }
    writeFileSync(join(folder, 'cases/one/input.json'), JSON.stringify(input))
    expect(await runCli(['golden', 'cases/', '--update'], { folder })).toMatchObject({ code: 0 })
    expect(readdirSync(join(folder, 'cases/one/expected/models/staging/shop'))).toContain(
      'stg_shop__order.sql',
    )
  })

  test('says what an input without tables lacks', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'input.json'), '{}')
    const { code, stderr } = await runCli(['golden', folder])
    expect(code).toBe(2)
    expect(stderr).toContain('items: expected a list of { request, table }, got nothing')
  })

  test('fails for a folder without cases', async () => {
    expect(await runCli(['golden', temporaryFolder()])).toMatchObject({ code: 2 })
  })
})

describe('suggest and profile', () => {
  const folder = repositoryPath('test/fixtures/truth/chinook/data')

  test('propose keys and references by names', async () => {
    const { code, stdout } = await runCli([
      'suggest',
      '--catalog',
      `duckdb:${folder}`,
      'main.track',
      'main.album',
    ])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        'key        main.track (track_id)  by names: table id, 97 %',
        'key        main.album (album_id)  by names: table id, 97 %',
        'reference  main.track (album_id) -> main.album (album_id)  by names: table name, 96 %',
        '',
      ].join('\n'),
    })
  })

  test('look at the rows', async () => {
    const { code, stdout } = await runCli(['profile', '--catalog', `duckdb:${folder}`, 'main.genre'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        'main.genre: 25 rows',
        '  genre_id  25 distinct, 1 to 25',
        '  name      25 distinct, 3 to 18 characters',
        '  key        main.genre (genre_id)  by names and rows: table id, 97 %',
        '',
      ].join('\n'),
    })
  })

  test('make tests of what the rows keep', async () => {
    const parameters = ['generate', 'main.*', '--catalog', `duckdb:${folder}`, '--profile', '--json']
    const { stdout } = await runCli(parameters)
    const answers = JSON.parse(stdout) as { readonly data: { readonly schema: string } }[]
    expect(answers.flatMap(({ data }) => data.schema.match(/- relationships:/g) ?? [])).toHaveLength(11)
  })

  test('need a catalog with rows', async () => {
    const { code, stderr } = await runCli(['profile', '--catalog', catalog])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('expected a catalog whose rows can be read') as string,
    })
  })
})

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { readFolder, runWarm, temporaryFolder } from './run-cli.ts'

const catalog = repositoryPath('test/cli/columns.yml')

describe('stagecraft', () => {
  test('prints help with examples, and its version', async () => {
    const help = await runWarm(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/Examples:\n {2}\$ stagecraft /)
    const { version } = JSON.parse(readFileSync(repositoryPath('packages/cli/package.json'), 'utf8')) as {
      version: string
    }
    expect(await runWarm(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([
    [
      'adopt',
      ['--dialect', '--type', '--backend', '--learn'],
      ['--all', '--prune', '--conflict', '--profile'],
    ],
    [
      'check',
      ['--dialect', '--type', '--all', '--profile', '--learn'],
      ['--backend', '--prune', '--conflict'],
    ],
    ['explain', ['--dialect', '--type', '--profile', '--max-rows'], ['--all', '--backend', '--prune']],
  ])('%s offers the flags that it uses', async (command, used, others) => {
    const { stdout } = await runWarm([command, '--help'])
    const offered = [...stdout.matchAll(/^  (--[\w-]+)/gm)].map(([, flag]) => flag)
    expect(offered).toEqual(expect.arrayContaining(used))
    expect(offered.filter((flag) => others.includes(flag ?? ''))).toEqual([])
  })

  test('without a command shows the help and fails', async () => {
    expect(await runWarm([])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Usage:'),
    })
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
    const { code, stderr } = await runWarm(parameters)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`unknown ${text}`) as string,
    })
  })
})

test.each([
  [['keys', 'create', '--name', 'a'], 'stagecraft keys create --help shows arguments and options'],
  [['keys', 'li'], 'stagecraft keys --help shows commands and options'],
  [['nothing'], 'stagecraft --help shows commands and options'],
])('names the help of the command for %j', async (parameters, help) => {
  expect((await runWarm(parameters)).stderr).toContain(help)
})

describe('tables', () => {
  test('lists the tables of a catalog', async () => {
    expect(await runWarm(['tables', '--catalog', catalog, 'shop.*'])).toEqual({
      code: 0,
      stdout:
        'shop.customers  table, 3 columns, key (id)\nshop.orders     table, 3 columns, key (id), 1 foreign key\n',
      stderr: '',
    })
  })

  test('prints all that is known as JSON', async () => {
    const { stdout } = await runWarm(['tables', '--catalog', catalog, '--json', 'crm.*'])
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
    const { stdout } = await runWarm(['tables', 'shop', '--catalog', catalog])
    expect(stdout).toMatch(/^shop\.customers .*\nshop\.orders /)
  })

  test('fails for a schema that is not there', async () => {
    const { code, stderr } = await runWarm(['tables', '--catalog', catalog, 'shp.*'])
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('did you mean') as string })
  })
})

describe('config --print', () => {
  test('fills in the defaults', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: trino\noptions:\n  casts: none\n')
    const { code, stdout } = await runWarm(['config', '--print'], { folder })
    expect(code).toBe(0)
    expect(stdout).toMatch(/dialect: trino\n(?:.*\n)*options:\n(?:.*\n)* {2}casts: none\n/)
    expect(stdout).toContain('deletedRows: filter')
  })

  test('names the line of a fault', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: trino\noptions:\n  cast: none\n')
    const { code, stderr } = await runWarm(['config', '--print'], { folder })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/line 3, options\.cast: expected one of the keys /) as string,
    })
  })
})

describe('golden', () => {
  const name = 'options/deleted_rows_flag_beside_a_time'

  test('passes over cases that are as recorded', async () => {
    const { code, stdout } = await runWarm(['golden', repositoryPath(`test/golden/${name}`)])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 case, no differences\n' })
  })

  test('shows what differs, and records it when asked', async () => {
    const folder = temporaryFolder()
    cpSync(repositoryPath(`test/golden/${name}`), folder, { recursive: true })
    const input = join(folder, 'input.json')
    writeFileSync(input, readFileSync(input, 'utf8').replaceAll('bigint', 'int'))
    const different = await runWarm(['golden', folder])
    expect(different.code).toBe(1)
    expect(different.stdout).toMatch(/^- +data_type: bigint\n\+ +data_type: int$/m)
    expect(different.stdout).toContain('1 case, 1 differs')
    const updated = await runWarm(['golden', folder, '--update'])
    expect(updated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^recorded /) as string })
    expect(await runWarm(['golden', folder])).toMatchObject({ code: 0 })
    expect(JSON.stringify(readFolder(folder))).not.toContain('bigint')
  })

  test('takes the configuration of the project around the folder', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'cases/one'), { recursive: true })
    writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: duckdb\nnaming:\n  entity: singular\n')
    const table = { columns: [{ name: 'id', type: 'integer' }] }
    const input = { items: [{ request: { type: 'staging', source: 'shop.orders' }, table }] }
    writeFileSync(join(folder, 'cases/one/input.json'), JSON.stringify(input))
    expect(await runWarm(['golden', 'cases/', '--update'], { folder })).toMatchObject({ code: 0 })
    expect(readdirSync(join(folder, 'cases/one/expected/models/staging/shop'))).toContain(
      'stg_shop__order.sql',
    )
  })

  test('says what an input without tables lacks', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'input.json'), '{}')
    const { code, stderr } = await runWarm(['golden', folder])
    expect(code).toBe(2)
    expect(stderr).toContain('items: expected a list of { request, table }, got nothing')
  })

  test('fails for a folder without cases', async () => {
    expect(await runWarm(['golden', temporaryFolder()])).toMatchObject({ code: 2 })
  })
})

describe('suggest and profile', () => {
  const folder = repositoryPath('test/fixtures/truth/chinook/data')

  test('propose keys and references by names', async () => {
    const { code, stdout } = await runWarm([
      'suggest',
      '--catalog',
      `duckdb:${folder}`,
      'main.track',
      'main.album',
    ])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        'main.track:key                  97 %  track_id  table id, by names',
        'main.track.album_id:references  96 %  album.album_id  table name, by names',
        'main.album:key                  97 %  album_id  table id, by names',
        '',
        '3 suggestions can be accepted: --accept <id...>, or --accept all',
        '',
      ].join('\n'),
    })
  })

  test('look at the rows', async () => {
    const { code, stdout } = await runWarm(['profile', '--catalog', `duckdb:${folder}`, 'main.genre'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        'main.genre: 25 rows',
        '  genre_id  25 distinct, 1 to 25',
        '  name      25 distinct, 3 to 18 characters',
        '  key: genre_id  (97 %, table id, unique in 25 rows)',
        '',
      ].join('\n'),
    })
  })

  test('write what is accepted into the configuration, and keep what people wrote there', async () => {
    const own = temporaryFolder()
    const file = join(own, 'stagecraft.yml')
    const written = `# ours
sources:
  main:
    tables:
      Track: {key: [track_id]}   # known
`
    writeFileSync(file, written)
    const command = ['suggest', '--profile', '--catalog', `duckdb:${folder}`, 'main.*']
    const accepted = await runWarm(
      [...command, '--accept', 'main.track.album_id:references', 'main.album:key'],
      {
        folder: own,
      },
    )
    expect(accepted).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 suggestions written to') as string,
    })
    expect(readFileSync(file, 'utf8')).toBe(`# ours
sources:
  main:
    tables:
      Track: {key: [track_id], columns: {album_id: {references: album.album_id}}}   # known
      album:
        key:
          - album_id
`)
    const again = await runWarm(command, { folder: own })
    expect(again.stdout).not.toMatch(/main\.track:key|main\.track\.album_id:references|main\.album:key/)
    expect(again.stdout).toContain('main.artist:key ')
    const unknown = await runWarm([...command, '--accept', 'main.artist:kee'], { folder: own })
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /--accept: expected a suggestion such as main\.artist.*; did you mean main\.artist:key\?/,
      ) as string,
    })
    const ofRows = await runWarm(
      [...command.filter((word) => word !== '--profile'), '--accept', 'main.album.title:as'],
      { folder: own },
    )
    expect(ofRows.stderr).toContain('; suggestions that need the rows require --profile')
    const listed = await runWarm([...command, '--json'], { folder: own })
    const notes = (JSON.parse(listed.stdout) as { readonly id: string; readonly setting?: unknown }[])
      .filter(({ setting }) => setting === undefined || setting === null)
      .map(({ id }) => id)
    expect(notes.length).toBeGreaterThan(0)
    const named = /such as ([^;,]+(?:, [^;,]+)*), got/.exec(unknown.stderr)?.[1]?.split(', ') ?? []
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((id) => notes.includes(id))).toEqual([])
    expect(await runWarm([...command, '--accept', 'all'], { folder: own })).toMatchObject({ code: 0 })
    const generated = await runWarm(['generate', 'main.*', '--catalog', `duckdb:${folder}`, '--json'], {
      folder: own,
    })
    const answers = JSON.parse(generated.stdout) as { readonly data: { readonly schema: string } }[]
    expect(answers.flatMap(({ data }) => data.schema.match(/- relationships:/g) ?? [])).toHaveLength(11)
  })

  test('take ids with the quotes of a name and without', async () => {
    const own = temporaryFolder()
    writeFileSync(
      join(own, 'raw.sql'),
      'create table crm."product-catalog" ("product_id" integer, "name" text);',
    )
    for (const id of ['crm.product-catalog:key', 'crm."product-catalog":key']) {
      const config = `${id.length}.yml`
      writeFileSync(join(own, config), 'dialect: postgres\n')
      const command = ['suggest', '--catalog', 'raw.sql?dialect=postgres', '--config', config, '--accept', id]
      expect(await runWarm(command, { folder: own })).toMatchObject({ code: 0, stderr: '' })
      expect(readFileSync(join(own, config), 'utf8')).toMatch(/product-catalog:\s+key:\s+- product_id/)
    }
  })

  test('make tests of what the rows keep', async () => {
    const parameters = ['generate', 'main.*', '--catalog', `duckdb:${folder}`, '--profile', '--json']
    const { stdout } = await runWarm(parameters)
    const answers = JSON.parse(stdout) as { readonly data: { readonly schema: string } }[]
    expect(answers.flatMap(({ data }) => data.schema.match(/- relationships:/g) ?? [])).toHaveLength(11)
  })

  test('need a catalog with rows', async () => {
    const { code, stderr } = await runWarm(['profile', '--catalog', catalog])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('expected a catalog whose rows can be read') as string,
    })
  })
})

import { appendFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { successEnvelopeSchema } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { type CliResult, readFolder, runWarm, temporaryFolder } from './run-cli.ts'

const catalog = repositoryPath('test/cli/columns.yml')

function write(folder: string, ...parameters: readonly string[]): Promise<CliResult> {
  return runWarm(['generate', '--catalog', catalog, '--out', folder, ...parameters])
}

const SHOP = [
  'models/staging/shop/_shop__models.yml',
  'models/staging/shop/_shop__sources.yml',
  'models/staging/shop/stg_shop__customers.sql',
  'models/staging/shop/stg_shop__orders.sql',
]

/** The files of a folder that a person sees. */
function visible(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(readFolder(folder)).filter(([path]) => !path.startsWith('.stagecraft/')),
  )
}

const WITH_LOCK = [...SHOP, 'stagecraft.lock']

describe('writing', () => {
  test('makes the files of a dbt project, and a lock that follows them', async () => {
    const folder = join(temporaryFolder(), 'new/project')
    const { code, stderr, stdout } = await write(folder, 'shop.*')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/created models\/.*\napplied: 4 created, 0 unchanged\n$/s)
    expect(Object.keys(visible(folder))).toEqual(WITH_LOCK)
    writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\nversion: "1"\n')
    const plan = await runWarm(['plan', '--catalog', catalog], { folder })
    expect(plan).toMatchObject({ code: 0, stdout: 'plan: 4 unchanged\n' })
  })

  test('a second time changes nothing', async () => {
    const folder = temporaryFolder()
    await write(folder, 'shop.*')
    const before = readFolder(folder)
    const { code, stderr } = await write(folder, 'shop.*')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('nothing to write; plan: 4 unchanged') as string,
    })
    expect(readFolder(folder)).toEqual(before)
  })

  test('updates its own files, and merges into edited ones', async () => {
    const folder = temporaryFolder()
    await write(folder, 'shop.*')
    appendFileSync(join(folder, SHOP[0] ?? ''), '# mine\n')
    appendFileSync(join(folder, SHOP[3] ?? ''), '-- mine\n')
    expect(await write(folder, 'shop.*', '--no-tests')).toMatchObject({ code: 0 })
    const after = visible(folder)
    expect(after[SHOP[0] ?? '']).not.toContain('data_tests')
    expect(after[SHOP[0] ?? '']).toMatch(/# mine\n$/)
    expect(after[SHOP[3] ?? '']).toMatch(/-- mine\n$/)
  })

  test('leaves the model of a person alone, and adds entries to a file of a person', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'models/staging/shop'), { recursive: true })
    writeFileSync(join(folder, SHOP[0] ?? ''), '# ours\nversion: 2\n')
    writeFileSync(join(folder, SHOP[3] ?? ''), 'select 1 as id\n')
    expect(await write(folder, 'shop.*')).toMatchObject({ code: 0 })
    expect(visible(folder)[SHOP[0] ?? '']).toMatch(/^# ours\nversion: 2\n[^]*name: stg_shop__customers/)
    expect(visible(folder)[SHOP[3] ?? '']).toBe('select 1 as id\n')
  })

  test('writes nothing at all when a change conflicts with an edit', async () => {
    const folder = temporaryFolder()
    await write(folder, 'shop.*')
    const models = visible(folder)[SHOP[0] ?? ''] ?? ''
    writeFileSync(join(folder, SHOP[0] ?? ''), `${models}extra: [\n`)
    const before = readFolder(folder)
    const changed = await write(folder, 'shop.*', '--no-docs')
    expect(changed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing was written: 1 file is in conflict') as string,
    })
    expect(readFolder(folder)).toEqual(before)
  })

  test('keeps the models that share a file and were not asked for', async () => {
    const folder = temporaryFolder()
    await write(folder, 'shop.*')
    const before = visible(folder)
    expect(await write(folder, 'shop.orders')).toMatchObject({ code: 0 })
    expect(visible(folder)).toEqual(before)
  })

  test('leaves nothing behind where it cannot write', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'models/staging'), { recursive: true })
    writeFileSync(join(folder, 'models/staging/shop'), 'a file where a folder has to be')
    const { code, stderr } = await write(folder, 'shop.*', 'crm.*')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('models/staging/shop') as string,
    })
    expect(Object.keys(visible(folder))).toEqual(['models/staging/shop'])
  })

  test('makes no folder for a table that does not exist', async () => {
    const folder = temporaryFolder()
    expect(await write(join(folder, 'a/b'), 'shop.nothing')).toMatchObject({ code: 3 })
    expect(readdirSync(folder)).toEqual([])
  })

  test('with --json answers as without --out', async () => {
    const folder = temporaryFolder()
    const { stderr, stdout } = await write(folder, 'shop.orders', '--json')
    const { stdout: printed } = await runWarm(['generate', 'shop.orders', '--catalog', catalog, '--json'])
    expect(stderr).toBe('')
    const dataOf = (text: string): unknown => successEnvelopeSchema.parse(JSON.parse(text) as unknown).data
    expect(dataOf(stdout)).toEqual(dataOf(printed))
    expect(existsSync(join(folder, SHOP[3] ?? ''))).toBe(true)
  })
})

describe('in a dbt project', () => {
  test('follows its dbt version and refers to its models', async () => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'dbt_project.yml'),
      'name: shop\nversion: 1.0.0\nrequire-dbt-version: ">=1.7.0,<1.10.0"\n',
    )
    writeFileSync(
      join(folder, 'packages.yml'),
      'packages:\n  - package: dbt-labs/dbt_utils\n    version: 1.3.0\n',
    )
    mkdirSync(join(folder, 'models'))
    writeFileSync(join(folder, 'models/stg_shop__customers.sql'), 'select 1 as customer_id')
    writeFileSync(
      join(folder, 'models/customers.yml'),
      'models:\n  - name: stg_shop__customers\n    columns:\n      - name: customer_id\n',
    )
    const { code, stderr } = await write(folder, 'shop.orders')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.not.stringContaining('PARENT_NOT_STAGED') as string,
    })
    const yaml = readFolder(folder)[SHOP[0] ?? ''] ?? ''
    expect(yaml).toContain("to: ref('stg_shop__customers')")
    expect(yaml).not.toContain('arguments:')
  })

  test('a new folder inside it is refused, and a folder of it means the project', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\nversion: 1.0.0\n')
    mkdirSync(join(folder, 'models'))
    const refused = await write(join(folder, 'new'), 'shop.orders')
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /--out: expected a dbt project, or a folder outside of one, got .*new, a new folder in .*; --out .* writes into that project\n$/,
      ) as string,
    })
    expect(Object.keys(visible(folder))).toEqual(['dbt_project.yml'])
    const inside = await write(join(folder, 'models'), 'shop.orders')
    expect(inside).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^note .*models is a folder of the dbt project .*, which is written to\n/,
      ) as string,
    })
    expect(Object.keys(visible(folder))).toContain(SHOP[3])
  })

  test('names the file that cannot be read', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'dbt_project.yml'), 'name: [shop\n')
    const { code, stderr } = await write(folder, 'shop.orders')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('dbt_project.yml:2: expected valid YAML') as string,
    })
  })
})

describe('a folder that nothing can be written to', () => {
  const file = repositoryPath('package.json')
  const places = [
    ['/proc/x', 'nothing can be created there'],
    ['/proc', 'nothing can be created there'],
    ['/dev/null', 'is a file, not a folder'],
    [file, 'is a file, not a folder'],
    [join(file, 'below'), 'is a file, not a folder'],
    [' ', 'the text is empty'],
  ]

  test.skipIf(process.platform !== 'linux').each(places)('%s is refused at once', async (folder, reason) => {
    const { code, stderr, stdout } = await write(folder, 'shop.orders')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(`^error\\[INVALID_REQUEST\\] --out: expected a folder to write to, got .*${reason}\n$`),
    )
  })

  test('is refused before the catalog is opened, and by the demo too', async () => {
    const noCatalog = ['generate', '--all', '--catalog', 'nowhere.yml', '--out', file]
    expect((await runWarm(noCatalog)).stderr).toMatch(/^error\[INVALID_REQUEST\] --out: /)
    expect((await runWarm(['demo', '--out', join(file, 'below')])).stderr).toMatch(
      /^error\[INVALID_REQUEST\] --out: /,
    )
  })

  test('is one below a circle of links', async () => {
    const folder = temporaryFolder()
    symlinkSync('loop', join(folder, 'loop'))
    expect((await write(join(folder, 'loop/x'), 'shop.orders')).stderr).toContain('its links form a loop')
  })
})

test('with --json the files are written and answered for by one run', async () => {
  const folder = temporaryFolder()
  const { code, stderr, stdout } = await write(folder, 'shop.*', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const answers = successEnvelopeSchema.array().parse(JSON.parse(stdout) as unknown)
  const written = readFolder(folder)
  expect(answers.map(({ data }) => data.code)).toEqual([written[SHOP[2] ?? ''], written[SHOP[3] ?? '']])
})

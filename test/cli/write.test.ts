import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

describe('writing', () => {
  test('makes the files of a dbt project and remembers them', async () => {
    const folder = temporaryFolder()
    const { code, stderr, stdout } = await write(folder, 'shop.*')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/wrote models\/.*\n2 models, 4 files written to /s)
    expect(Object.keys(readFolder(folder))).toEqual(['.stagecraft/files.json', ...SHOP])
  })

  test('a second time changes nothing', async () => {
    const folder = temporaryFolder()
    await write(folder, 'shop.*')
    const before = readFolder(folder)
    const { code, stderr } = await write(folder, 'shop.*')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('0 files written to') as string,
    })
    expect(readFolder(folder)).toEqual(before)
  })

  test('replaces its own files only with --force', async () => {
    const folder = temporaryFolder()
    await write(folder, 'shop.*')
    const before = readFolder(folder)
    const refused = await write(folder, 'shop.*', '--no-tests')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('use --force to replace them') })
    expect(readFolder(folder)).toEqual(before)
    expect(await write(folder, 'shop.*', '--no-tests', '--force')).toMatchObject({ code: 0 })
    expect(readFolder(folder)[SHOP[0] ?? '']).not.toContain('data_tests')
  })

  test('never replaces what somebody changed or wrote, and then writes nothing at all', async () => {
    const folder = temporaryFolder()
    await write(folder, 'shop.*')
    appendFileSync(join(folder, SHOP[3] ?? ''), '-- mine\n')
    const before = readFolder(folder)
    const changed = await write(folder, 'shop.*', '--no-docs', '--force')
    expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining('stg_shop__orders.sql') })
    expect(readFolder(folder)).toEqual(before)
    const other = temporaryFolder()
    mkdirSync(join(other, 'models/staging/shop'), { recursive: true })
    writeFileSync(join(other, SHOP[0] ?? ''), 'version: 2\n')
    const foreign = await write(other, 'shop.*', '--force')
    expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining('_shop__models.yml') })
    expect(Object.keys(readFolder(other))).toEqual([SHOP[0]])
  })

  test('keeps the models that share a file and were not asked for', async () => {
    const folder = temporaryFolder()
    await write(folder, 'shop.*')
    const before = readFolder(folder)
    const { code, stderr } = await write(folder, 'shop.orders', '--force')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('also cover stg_shop__customers, shop.customers') as string,
    })
    expect(readFolder(folder)).toEqual(before)
  })

  test('goes on after a run that was killed between two files', async () => {
    const folder = temporaryFolder()
    await write(folder, 'shop.*')
    await write(folder, 'shop.*', '--no-tests', '--force')
    const wanted = readFolder(folder)
    const half = temporaryFolder()
    await write(half, 'shop.*')
    const models = SHOP[0] ?? ''
    const ledger = JSON.parse(readFolder(half)['.stagecraft/files.json'] ?? '') as {
      files: Record<string, { hashes: string[] }>
    }
    const after = JSON.parse(wanted['.stagecraft/files.json'] ?? '') as typeof ledger
    ledger.files[models]?.hashes.push(...(after.files[models]?.hashes ?? []))
    writeFileSync(join(half, '.stagecraft/files.json'), JSON.stringify(ledger))
    writeFileSync(join(half, models), wanted[models] ?? '')
    rmSync(join(half, SHOP[1] ?? ''))
    expect(await write(half, 'shop.*', '--no-tests', '--force')).toMatchObject({ code: 0 })
    expect(readFolder(half)).toEqual(wanted)
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
    expect(Object.keys(readFolder(folder))).toEqual(['models/staging/shop'])
  })

  test('with --json answers as without --out', async () => {
    const folder = temporaryFolder()
    const { stderr, stdout } = await write(folder, 'shop.orders', '--json')
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { code: expect.any(String) as string } })
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

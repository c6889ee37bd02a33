// What users install: the packed packages, in a project of their own outside the workspace.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryPath } from './paths.ts'

const execute = promisify(execFile)

/** What a program prints; its failure shows that too. */
async function run(program: string, parameters: readonly string[], options: object = {}): Promise<string> {
  try {
    return (await execute(program, parameters, { encoding: 'utf8', ...options })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${program} ${parameters.join(' ')}\n${stdout}\n${stderr}`, { cause: error })
  }
}

const FOLDERS = [...readdirSync(repositoryPath('packages')).map((name) => `packages/${name}`), 'templates']

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-packages-'))
const consumer = join(folder, 'consumer')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The program of the README, as somebody who has the packages writes it. */
const EMBEDDING = `
import { createEngine, generate } from '@stagecraft/core'
import { columns } from '@stagecraft/catalogs/columns'
import { StagecraftError, type Table } from '@stagecraft/spec'

const table: Table = { columns: [{ name: 'ID', type: 'NUMBER(38,0)', nullable: false }], primaryKey: ['ID'] }
const { code, tests } = generate(
  { type: 'staging', source: 'raw.stripe.payments', options: { addTests: true, addDocs: true } },
  table,
  { dialect: 'snowflake' },
)
const catalog = await columns({ path: 'columns.yml' })
const engine = createEngine({ catalog, dialect: 'duckdb' })
const { data, meta } = await engine.generate({ type: 'staging', source: 'shop.orders' })
const error: unknown = await engine.generate({ type: 'staging', source: 'shop.ordres' }).catch((e: unknown) => e)
console.log(JSON.stringify({
  code, tests, other: data.code, tokens: meta.tokensUsed,
  error: error instanceof StagecraftError ? error.code : 'not the class of @stagecraft/spec',
}))
`

const COLUMNS = `tables:
  - schema: shop
    name: orders
    columns:
      - { name: id, type: integer, nullable: false }
      - { name: order, type: varchar }
`

async function pack(): Promise<readonly string[]> {
  const npm = (...parameters: readonly string[]) =>
    run('npm', ['run', '-s', 'pn', '--', ...parameters], { cwd: repositoryPath('') })
  await npm('run', '--silent', 'build')
  const each = FOLDERS.flatMap((name) => ['--filter', `./${name}`])
  await npm(...each, 'pack', '--pack-destination', folder)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(folder, name))
}

const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent']

async function install(tarballs: readonly string[]): Promise<void> {
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(join(consumer, 'main.ts'), EMBEDDING)
  writeFileSync(join(consumer, 'columns.yml'), COLUMNS)
  await run('npm', [...INSTALL, ...tarballs], { cwd: consumer })
}

function bytesOf(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0)
}

describe('the packed packages', () => {
  let tarballs: readonly string[] = []
  beforeAll(async () => {
    tarballs = await pack()
    await install(tarballs)
  }, 600_000)

  test('are one for each folder', () => {
    expect(tarballs).toHaveLength(FOLDERS.length)
  })

  test('hold what their manifests promise', async () => {
    for (const tarball of tarballs) {
      const { messages, pkg } = await publint({
        pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
        strict: true,
      })
      expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
    }
  })

  test('have types that every resolution of ES modules finds', async () => {
    for (const tarball of tarballs.filter((name) => !name.includes('-cli-'))) {
      const stdout = await run(repositoryPath('node_modules/.bin/attw'), [tarball, '--profile', 'esm-only'])
      expect(stdout).toContain('🟢 (ESM)')
    }
  }, 600_000)

  test('show the documentation of options in an editor', () => {
    const types = readFileSync(join(consumer, 'node_modules/@stagecraft/spec/dist/types.d.ts'), 'utf8')
    const documented = /\/\*\*[^/]*evidence[^/]*\*\/\s+readonly addTests\?: boolean/
    expect(types).toMatch(documented)
  })

  test('compile and run as a library', async () => {
    const compiler = repositoryPath('node_modules/.bin/tsc')
    const types = ['--typeRoots', repositoryPath('node_modules/@types'), '--types', 'node']
    await run(
      compiler,
      ['--strict', '--target', 'es2024', '--module', 'nodenext', ...types, '--rootDir', '.', 'main.ts'],
      { cwd: consumer },
    )
    const stdout = await run(process.execPath, ['main.js'], { cwd: consumer })
    expect(JSON.parse(stdout)).toMatchObject({
      code: expect.stringContaining('id as payment_id'),
      tests: ['not_null', 'unique'],
      other: expect.stringContaining('"order"'),
      tokens: 0,
      error: 'INVALID_SOURCE',
    })
  })

  test('are read by require as by import', async () => {
    const program = `const { generate } = require('@stagecraft/core'); const { columns } = require('@stagecraft/catalogs/columns'); console.log(typeof generate, typeof columns)`
    expect(await run(process.execPath, ['--eval', program], { cwd: consumer })).toBe('function function\n')
  })

  test('cost whoever embeds the core 12 MB at most, half of it for the schemas of zod', async () => {
    const embedder = join(folder, 'embedder')
    mkdirSync(embedder)
    writeFileSync(join(embedder, 'package.json'), '{ "private": true }')
    const needed = tarballs.filter((name) => /-(?:core|spec|dialects|templates)-\d/.test(name))
    await run('npm', [...INSTALL, ...needed], { cwd: embedder })
    expect(bytesOf(join(embedder, 'node_modules'))).toBeLessThan(12_000_000)
    const program = `import { generate } from '@stagecraft/core'
      const table = { columns: [{ name: 'id', type: 'integer', nullable: false }] }
      console.log(generate({ type: 'staging', source: 'shop.orders' }, table, { dialect: 'duckdb' }).code)`
    const stdout = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: embedder })
    expect(stdout).toContain('id as order_id')
  })

  test('run as a command', async () => {
    const command = join(consumer, 'node_modules/.bin/stagecraft')
    const stdout = await run(
      command,
      ['generate', 'shop.orders', '--catalog', 'columns.yml', '--dialect', 'duckdb'],
      {
        cwd: consumer,
        env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` },
      },
    )
    expect(stdout).toContain("select * from {{ source('shop', 'orders') }}")
  })
})

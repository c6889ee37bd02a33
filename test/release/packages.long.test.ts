// What users install: the packed packages, in projects of their own outside the workspace.
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithBrowser, launchBrowser } from '../browser.ts'
import { repositoryPath } from '../paths.ts'
import { bytesOf, FOLDERS, installInto, optionalPeers, packAll, run } from './packed.ts'
import {
  CATALOG,
  commandOf,
  listProjectsByService,
  type Runtime,
  RUNTIME_PACKAGES,
  RUNTIMES,
} from './runtimes.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-packages-'))
const [consumer, embedder, terminal, drivers, runtimes] = [
  'consumer',
  'embedder',
  'terminal',
  'drivers',
  'runtimes',
].map((name) => join(folder, name)) as [string, string, string, string, string]
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

const CORE_ALONE = `
import { generate } from '@stagecraft/core'
const table = { columns: [{ name: 'id', type: 'integer', nullable: false }] }
console.log(generate({ type: 'staging', source: 'shop.orders' }, table, { dialect: 'duckdb' }).code)
`

/** Schemas are values of a library that the spec carries: programs can build on them, and see what they describe. */
const SCHEMAS = `
import { generate } from '@stagecraft/core'
import { type Table, tableSchema } from '@stagecraft/spec'
import { API_OPERATIONS } from '@stagecraft/spec/api'
import { z } from '@stagecraft/spec/zod'

const table: Table = tableSchema.parse({ columns: [] })
const name: string | undefined = z.object({ table: tableSchema }).parse({ table }).table.columns[0]?.name
// @ts-expect-error: a name is text, and no number
const wrong: number | undefined = z.object({ table: tableSchema }).parse({ table }).table.columns[0]?.name
export const all = [generate, API_OPERATIONS, name, wrong]
`

/** The oldest compiler of 5 that reads the types, and the last one; the tests of the library use 7. */
const COMPILERS = ['typescript-5.4@npm:typescript@5.4.5', 'typescript-5.9@npm:typescript@5.9.3']

const COLUMNS = `tables:
  - schema: shop
    name: orders
    columns:
      - { name: id, type: integer, nullable: false }
      - { name: order, type: varchar }
`

/** Returns the program that uses the core alone as one module; the parsers that only Node programs call stay outside. */
async function bundleForBrowser(folder: string): Promise<string> {
  const external = [/^node-sql-parser/, '@polyglot-sql/sdk']
  const bundle = await rolldown({ cwd: folder, input: 'main.mjs', platform: 'browser', external })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
  expect(output).toHaveLength(1)
  return output[0].code
}

async function filesOf(tarball: string): Promise<readonly string[]> {
  return (await run('tar', ['tzf', tarball])).split('\n').toSorted()
}

async function manifestOf(tarball: string): Promise<unknown> {
  return JSON.parse(await run('tar', ['xzOf', tarball, 'package/package.json']))
}

describe('the packed packages', () => {
  let tarballs: readonly string[] = []
  const tarballsOf = (...names: readonly string[]) =>
    tarballs.filter((path) => names.some((name) => new RegExp(`-${name}-\\d[^/]*$`).test(path)))
  beforeAll(async () => {
    tarballs = await packAll(folder)
    await installInto(consumer, tarballs)
    writeFileSync(join(consumer, 'main.ts'), EMBEDDING)
    writeFileSync(join(consumer, 'columns.yml'), COLUMNS)
    await installInto(embedder, tarballsOf('core', 'spec', 'dialects', 'templates'))
    writeFileSync(join(embedder, 'main.mjs'), CORE_ALONE)
    await installInto(runtimes, [...RUNTIME_PACKAGES, ...COMPILERS])
  }, 1_200_000)

  test('are one for each folder', () => {
    expect(tarballs).toHaveLength(FOLDERS.length)
  })

  test('hold the licence and the changelog', async () => {
    for (const tarball of tarballs) {
      const own = ['LICENSE', 'CHANGELOG.md', 'README.md'].map((name) => `package/${name}`)
      expect(await filesOf(tarball)).toEqual(expect.arrayContaining(own))
      expect(JSON.stringify(await manifestOf(tarball))).not.toMatch(/workspace:|catalog:|\/src\//)
    }
  })

  // npm changes the manifest while it packs, so that it packs a copy here.
  test.each(['core', 'spec'])('are the same if npm packs them: %s', async (name) => {
    const copy = join(folder, `copy-${name}`)
    mkdirSync(join(copy, 'packages'), { recursive: true })
    for (const part of [
      'package.json',
      'pnpm-workspace.yaml',
      '.pnpmfile.mjs',
      'LICENSE',
      'release',
      'templates',
      'packages',
    ])
      await run('cp', ['-a', repositoryPath(part), copy])
    symlinkSync(repositoryPath('node_modules'), join(copy, 'node_modules'))
    const before = readFileSync(join(copy, `packages/${name}/package.json`), 'utf8')
    await run('npm', ['pack', '--silent'], { cwd: join(copy, `packages/${name}`) })
    expect(readFileSync(join(copy, `packages/${name}/package.json`), 'utf8')).toBe(before)
    const theirs = readdirSync(join(copy, `packages/${name}`)).find((file) => file.endsWith('.tgz')) ?? ''
    const [ours = ''] = tarballsOf(name)
    const read = (tarball: string) => Promise.all([filesOf(tarball), manifestOf(tarball)])
    expect(await read(join(copy, `packages/${name}`, theirs))).toEqual(await read(ours))
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
  }, 1_200_000)

  // A range such as ^1.5.0 has no 1.5.6-r.1 in it: npm then warns, and leaves the driver out.
  test('accept the drivers and parsers that they are tested with', async () => {
    const flags = [
      '--dry-run',
      '--strict-peer-deps',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--silent',
    ]
    const installed = run('npm', ['install', ...flags, ...tarballs, ...optionalPeers()], { cwd: consumer })
    await expect(installed).resolves.toBeTypeOf('string')
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

  test('cost 6 MB at most for whoever embeds the core, with all that it needs', async () => {
    expect(bytesOf(join(embedder, 'node_modules'))).toBeLessThan(6_000_000)
    expect(await run(process.execPath, ['main.mjs'], { cwd: embedder })).toContain('id as order_id')
  })

  test.each(COMPILERS)(
    'have types that %s reads in full',
    async (name) => {
      const [compiler = ''] = name.split('@npm:')
      const program = join(runtimes, 'node_modules', compiler, 'bin/tsc')
      writeFileSync(join(embedder, 'types.ts'), SCHEMAS)
      const flags = [
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        'false',
        '--target',
        'es2022',
        '--module',
        'nodenext',
      ]
      expect(await run(process.execPath, [program, ...flags, 'types.ts'], { cwd: embedder })).toBe('')
    },
    600_000,
  )

  describe('of the command', () => {
    const command = join(terminal, 'node_modules/@stagecraft/cli/dist/bundle/bin.js')
    beforeAll(async () => {
      await installInto(terminal, tarballsOf('cli'))
      writeFileSync(join(terminal, 'columns.yml'), COLUMNS)
    }, 1_200_000)

    test('need nothing else, and are its bundle with the licences of what is in it', () => {
      expect(readdirSync(join(terminal, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
        '@stagecraft',
      ])
      expect(bytesOf(join(terminal, 'node_modules'))).toBeLessThan(45_000_000)
      const notices = readFileSync(join(command, '../THIRD_PARTY_NOTICES.md'), 'utf8')
      for (const name of ['fastify', 'kysely', 'zod'])
        expect(notices).toMatch(new RegExp(`^- ${name} \\d`, 'm'))
    })

    test('find a driver that is installed in the same step', async () => {
      const duckdb = optionalPeers().filter((name) => name.startsWith('@duckdb/'))
      await installInto(drivers, [...tarballsOf('cli'), ...duckdb])
      const program = join(drivers, 'node_modules/@stagecraft/cli/dist/bundle/bin.js')
      await run(process.execPath, [program, 'demo', '--out', 'demo'], { cwd: drivers })
      const catalog = ['--catalog', 'demo/warehouse.duckdb', '--dialect', 'duckdb']
      expect(await run(process.execPath, [program, 'tables', ...catalog], { cwd: drivers })).toContain(
        'stripe.charges',
      )
    }, 600_000)

    test.each<Runtime>(['node-22', 'node-26'])(
      'generate, propose a project and serve on %s',
      async (name) => {
        const [node] = commandOf(name, runtimes)
        const code = await run(node, [command, 'generate', 'shop.orders', ...CATALOG], { cwd: terminal })
        expect(code).toContain("select * from {{ source('shop', 'orders') }}")
        const project = join(terminal, name)
        mkdirSync(project)
        writeFileSync(join(project, 'dbt_project.yml'), 'name: shop\nversion: 1.0.0\n')
        cpSync(join(terminal, 'columns.yml'), join(project, 'columns.yml'))
        await run(node, [command, 'init', '--yes', ...CATALOG], { cwd: project })
        expect(readFileSync(join(project, 'stagecraft.yml'), 'utf8')).toContain('shop: {}')
        expect(await listProjectsByService(node, command, project)).toEqual(['First project'])
      },
    )
  })

  test.each(Object.keys(RUNTIMES) as Runtime[])('run on %s, by import and by require', async (name) => {
    const [program, parameters] = commandOf(name, runtimes)
    const options = { cwd: embedder, env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' } }
    expect(await run(program, [...parameters, 'main.mjs'], options)).toContain('id as order_id')
    writeFileSync(join(embedder, 'main.cjs'), "console.log(typeof require('@stagecraft/core').generate)")
    expect(await run(program, [...parameters, 'main.cjs'], options)).toBe('function\n')
  })

  describeWithBrowser('in a browser', () => {
    test('run in a page and in a worker, from one file', async () => {
      const main = await bundleForBrowser(embedder)
      const page = '<script type="module" src="main.js"></script>'
      const server = createServer((request, answer) => {
        const isMain = request.url === '/main.js'
        answer.setHeader('content-type', isMain ? 'text/javascript' : 'text/html').end(isMain ? main : page)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const browser = await launchBrowser()
      try {
        const tab = await browser.newPage()
        const printed: string[] = []
        tab.on('console', (message) => printed.push(message.text()))
        await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
        await expect.poll(() => printed).toEqual([expect.stringContaining('id as order_id')])
        await tab.evaluate("void new Worker('/main.js', { type: 'module' })")
        await expect.poll(() => printed).toHaveLength(2)
        expect(printed[1]).toBe(printed[0])
      } finally {
        await browser.close()
        server.close()
      }
    })
  })
})

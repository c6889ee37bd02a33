// What people get who have no Node: one file, and the wheel that carries it.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeExecutable } from '../../release/executable.ts'
import { writeWheel } from '../../release/wheel.ts'
import { runCli, withoutProgress } from '../cli/run-cli.ts'
import { repositoryPath } from '../paths.ts'
import { newAdminKey } from '../service/start-service.ts'

const execute = promisify(execFile)

const COLUMNS = `tables:
  - schema: shop
    name: orders
    columns:
      - { name: id, type: integer, nullable: false }
      - { name: order, type: varchar }
`
const GENERATE = ['generate', 'shop.orders', '--catalog', 'columns.yml', '--dialect', 'duckdb']

/** A dbt project, for an upload. */
const PROJECT = {
  'dbt_project.yml': strToU8('name: shop\nversion: 1.0.0\n'),
  'models/orders.sql': strToU8('select * from raw.orders\n'),
}
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

interface Answer {
  readonly data: unknown
}

const place = mkdtempSync(join(tmpdir(), 'stagecraft-executable-'))
const file = join(place, 'bin/stagecraft')
const project = join(place, 'project')
afterAll(() => rmSync(place, { recursive: true, force: true }))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the executable with nothing in its environment but a home, as if Node were not there. */
async function run(parameters: readonly string[], env: NodeJS.ProcessEnv = {}, own = file): Promise<Ended> {
  const options = { cwd: project, env: { HOME: join(place, 'home'), PATH: '/usr/bin:/bin', ...env } }
  return await execute(own, parameters, options).then(
    ({ stderr, stdout }) => ({ code: 0, stdout, stderr: withoutProgress(stderr) }),
    (error: Ended) => ({ code: error.code, stdout: error.stdout, stderr: withoutProgress(error.stderr) }),
  )
}

describe.runIf(process.platform === 'linux')('the executable', () => {
  beforeAll(async () => {
    for (const folder of [project, join(place, 'home')]) mkdirSync(folder)
    writeFileSync(join(project, 'columns.yml'), COLUMNS)
    execFileSync(process.execPath, [repositoryPath('packages/dashboard/build.ts')])
    await writeExecutable(file)
  }, 300_000)

  test('prints what the command prints, also when four start at once for the first time', async () => {
    const expected = await runCli(GENERATE, { folder: project })
    expect(expected.code).toBe(0)
    const answers = await Promise.all([1, 2, 3, 4].map(() => run(GENERATE)))
    for (const { code, stdout } of answers)
      expect({ code, stdout }).toEqual({ code: 0, stdout: expected.stdout })
    const cache = join(place, 'home/.cache/stagecraft')
    expect(readdirSync(cache)).toHaveLength(1)
    expect(statSync(cache).mode & 0o077).toBe(0)
  })

  test('says which folder it cannot use for its files', async () => {
    const shared = join(place, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o777)
    const { code, stderr } = await run(['--version'], { STAGECRAFT_CACHE: shared })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `stagecraft: no folder for its files (${shared} can be written by others); set STAGECRAFT_CACHE to a folder that you own\n`,
    })
  })

  test('finds drivers with native code where it is told to, and names them else', async () => {
    const drivers = repositoryPath('packages/catalogs')
    const demo = await run(['demo', '--out', 'demo'], { STAGECRAFT_DRIVERS: drivers })
    expect(demo.code).toBe(0)
    const tables = ['generate', 'crm.accounts', '--catalog', 'duckdb:demo/warehouse.duckdb']
    const read = await run(tables, { STAGECRAFT_DRIVERS: drivers })
    expect(read).toMatchObject({ code: 0, stderr: '' })
    expect(read.stdout).toContain('stg_crm__accounts')
    const without = await run(tables)
    expect(without.code).toBe(2)
    expect(without.stderr).toContain('this catalog needs the package @duckdb/node-api')
  }, 600_000)

  test('lints with the parser inside', async () => {
    const folder = join(project, 'demo/dbt')
    const { stdout, code } = await execute(file, ['lint'], {
      cwd: folder,
      env: { HOME: join(place, 'home') },
    }).then(
      ({ stdout }) => ({ stdout, code: 0 }),
      (error: Ended) => error,
    )
    expect(code).toBeLessThan(2)
    expect(stdout).not.toContain('@polyglot-sql/sdk')
  })

  test('serves the interface, the pages, and analyses in a thread of its own', async () => {
    const key = newAdminKey()
    const child = spawn(file, ['serve', '--port', '0', '--data', 'data'], {
      cwd: project,
      env: { HOME: join(place, 'home'), STAGECRAFT_ADMIN_KEY: key, STAGECRAFT_SECRET_KEY: SECRET_KEY },
    })
    const ended = once(child, 'close')
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    try {
      await expect.poll(() => printed).toContain('API docs')
      const address = /API (http:\S+)\/v1/.exec(printed)?.[1] ?? ''
      const page = await fetch(`${address}/app/`)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('<script type="module"')
      const ask = async (path: string, body?: object): Promise<Answer> => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
        return (await (await fetch(`${address}/v1/projects${path}`, init)).json()) as Answer
      }
      const projects = (await ask('')).data as { readonly items: readonly { readonly id: string }[] }
      const [own] = projects.items
      const archive = Buffer.from(zipSync(PROJECT)).toString('base64')
      const { data } = await ask(`/${own?.id}/analyses`, { archive })
      const path = `/${own?.id}/analyses/${(data as { readonly id: string }).id}`
      await expect
        .poll(async () => ((await ask(path)).data as { readonly state: string }).state)
        .toBe('completed')
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  })

  test('is the command of an environment of Python, by its wheel', async () => {
    const wheel = writeWheel(file, join(place, 'wheels'))
    const python = join(place, 'venv')
    await execute('python3', ['-m', 'venv', python])
    await execute(join(python, 'bin/pip'), ['install', '--no-index', '--disable-pip-version-check', wheel])
    const { stdout } = await run(['--version'], {}, join(python, 'bin/stagecraft'))
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    await execute(join(python, 'bin/pip'), ['check'])
    await execute(join(python, 'bin/pip'), ['uninstall', '--yes', 'stagecraft'])
    expect(readdirSync(join(python, 'bin'))).not.toContain('stagecraft')
  }, 600_000)
})

import { spawn } from 'node:child_process'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEngine } from '@stagecraft/core'
import { columns } from '@stagecraft/catalogs/columns'
import { errorEnvelopeSchema, successEnvelopeSchema } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { hang, startStub } from '../client/stub.ts'
import { fastifyBinding, KEY } from '../http/service.ts'
import { repositoryPath } from '../paths.ts'
import { type CliOptions, type CliResult, readFolder, runCli, temporaryFolder } from './run-cli.ts'

const CATALOG = repositoryPath('test/cli/columns.yml')
const env = { STAGECRAFT_API_KEY: KEY }

async function startService(path = CATALOG): Promise<string> {
  const { url } = await fastifyBinding({
    engine: createEngine({ catalog: await columns({ path }) }),
  })
  return url
}

function generate(parameters: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return runCli(['generate', ...parameters], { env, ...options })
}

/** Without what differs from run to run. */
function timeless({ code, stderr, stdout }: CliResult): CliResult {
  const meta = /"(?:requestId|timestamp)": "[^"]+"/g
  return { code, stderr: stderr.replace(/\(\d+\.\d+ s\)/, ''), stdout: stdout.replace(meta, '') }
}

test.each([
  [['shop.orders']],
  [['shop.orders', '--type', 'snapshot', '--no-tests', '--no-docs']],
  [['shop.orders', '--json']],
  [['crm.accounts', 'shop.customers', '--json']],
])('a service prints and writes what the command does alone: %j', async (parameters) => {
  const [here, there] = [temporaryFolder(), temporaryFolder()]
  const url = await startService()
  const [alone, served] = await Promise.all([
    generate([...parameters, '--catalog', CATALOG], { folder: here }),
    generate([...parameters, '--server', url], { folder: there }),
  ])
  expect(served.code).toBe(0)
  expect(timeless(served)).toEqual(timeless(alone))
  expect(readFolder(there)).toEqual(readFolder(here))
})

test('writes the files of a service, which only have to be new', async () => {
  const folder = temporaryFolder()
  const url = await startService()
  const parameters = ['shop.orders', '--server', url, '--out', 'new']
  const model = 'new/models/staging/shop/stg_shop__orders.sql'
  const first = await generate(parameters, { folder })
  expect(first).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /created models\/.*stg_shop__orders.sql\napplied: 3 created, 0 unchanged\n$/s,
    ) as string,
  })
  const before = readFolder(folder)
  expect(await generate(parameters, { folder })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('nothing to write; 3 files unchanged\n') as string,
  })
  expect(readFolder(folder)).toEqual(before)
  appendFileSync(join(folder, model), '-- mine\n')
  rmSync(join(folder, 'new/models/staging/shop/_shop__sources.yml'))
  const { [model]: edited, ...others } = readFolder(folder)
  expect(edited).toMatch(/-- mine\n$/)
  expect(await generate(parameters, { folder })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'move them away, or merge by hand:\n  models/staging/shop/stg_shop__orders.sql\n',
    ) as string,
  })
  expect(readFolder(folder)).toEqual({ ...others, [model]: edited })
})

test('a service counts models without a test of a key as the command does alone', async () => {
  const path = join(temporaryFolder(), 'columns.json')
  const columns = [{ name: 'url', type: 'text' }]
  const tables = ['visits', 'clicks'].map((name) => ({ name, schema: 'web', columns }))
  writeFileSync(path, JSON.stringify({ dialect: 'postgres', tables }))
  const url = await startService(path)
  const [alone, served] = await Promise.all([
    generate(['web.visits', 'web.clicks', '--json', '--catalog', path]),
    generate(['web.visits', 'web.clicks', '--json', '--server', url]),
  ])
  expect(served.stderr).toContain('KEYS_NOT_TESTED')
  expect(timeless(served)).toEqual(timeless(alone))
})

test('of several names, one that fails has its error in its place', async () => {
  const { code, stdout } = await generate([
    'shop.order',
    'shop.orders',
    '--json',
    '--server',
    await startService(),
  ])
  const [first, second] = JSON.parse(stdout) as readonly unknown[]
  expect(code).toBe(3)
  expect(errorEnvelopeSchema.parse(first).error).toMatchObject({
    code: 'INVALID_SOURCE',
    details: { requestId: expect.stringMatching(/^req_/) as string },
  })
  expect(successEnvelopeSchema.parse(second).data.code).toContain("source('shop', 'orders')")
})

test('tells what the service refuses', async () => {
  const url = await startService()
  const [unknown, unauthorized] = await Promise.all([
    generate(['shop.order', '--server', url]),
    generate(['a.b', 'c.d', '--json', '--server', url], { env: { STAGECRAFT_API_KEY: 'another_key' } }),
  ])
  expect(unknown).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('INVALID_SOURCE') as string,
  })
  expect(unauthorized.code).toBe(6)
  expect(errorEnvelopeSchema.parse(JSON.parse(unauthorized.stdout)).error.code).toBe('UNAUTHORIZED')
  expect(unauthorized.stdout + unauthorized.stderr).not.toContain('another_key')
})

test('refuses flags that the service decides, before it asks', async () => {
  const { code, stderr } = await generate(['a.b', '--no-backend', '--server', 'https://nowhere.invalid'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--no-backend: not with --server') as string,
  })
})

test('names its flag and its variable where they are wrong', async () => {
  const { code, stderr } = await generate(['a.b', '--server', 'http://example.com'], {
    env: { STAGECRAFT_API_KEY: '' },
  })
  expect(code).toBe(2)
  expect(stderr).toMatch(/--server: expected https:.*STAGECRAFT_API_KEY: expected a key, got none/)
})

test('stops at Ctrl-C while the service is at work', async () => {
  const { requests, url } = await startStub(hang)
  const bin = repositoryPath('packages/cli/src/bin.ts')
  const child = spawn(process.execPath, [bin, 'generate', 'a.b', '--server', url], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const exit = new Promise((resolve) => child.once('close', resolve))
  await expect.poll(() => requests.length).toBe(1)
  child.kill('SIGINT')
  expect(await exit).toBe(130)
})

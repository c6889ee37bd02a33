import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCli, runWarm } from './run-cli.ts'
import { startServe } from './start-serve.ts'

const NO_STORE = { DATABASE_URL: '', STAGECRAFT_SECRET_KEY: '', STAGECRAFT_ADMIN_KEY: '' }

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-cli-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const status = async (url: string, key: string): Promise<number> =>
  (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status

test('serves a first project over the demo warehouse, and prints its key once', async () => {
  const folder = newFolder()
  const first = await startServe(['--data', folder], NO_STORE)
  const key = /shown this once: (sk_live_\w+)$/m.exec(first.stdout())?.[1] ?? ''
  const answer = await fetch(`${first.url}/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'staging', source: 'stripe.charges', options: { addTests: true } }),
  })
  expect(answer.status).toBe(200)
  expect(await status(`${first.url}/v1/events`, key)).toBe(200)
  expect(await (await fetch(`${first.url}/metrics`)).text()).toContain('stagecraft_http_request_seconds')
  first.child.kill('SIGTERM')
  expect(await first.exit).toBe(0)
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'stagecraft.db')).mode & 0o777).toBe(0o600)
  const again = await startServe(['--data', folder], NO_STORE)
  for (const text of [first.stderr(), again.stderr(), again.stdout()]) expect(text).not.toContain('sk_live_')
  expect(await status(`${again.url}/v1/projects`, key)).toBe(200)
})

test('gives each base address a port of its own, and a worker none of them', async () => {
  const folder = newFolder()
  const key = 'sk_chosen_by_somebody_else'
  const environment = { ...NO_STORE, STAGECRAFT_ADMIN_KEY: key }
  const { apiUrl, child, exit, stderr, url } = await startServe(
    ['--data', folder, '--api-port', '0', '--role', 'api'],
    environment,
  )
  expect(stderr()).not.toContain(key)
  expect(await status(`${apiUrl}/v1/projects`, key)).toBe(200)
  expect(await status(`${url}/v1/projects`, key)).toBe(404)
  expect((await fetch(`${apiUrl}/generate`, { method: 'POST' })).status).toBe(404)
  const worker = await startServe(['--data', folder, '--role', 'worker'], environment)
  expect((await fetch(`${worker.url}/healthz`)).status).toBe(200)
  expect(await status(`${worker.url}/v1/projects`, key)).toBe(404)
  for (const one of [child, worker.child]) one.kill('SIGTERM')
  expect(await Promise.all([exit, worker.exit])).toEqual([0, 0])
})

test('makes, lists and revokes keys while a service runs on the store', async () => {
  const folder = newFolder()
  const { url } = await startServe(['--data', folder], NO_STORE)
  const created = await runWarm(['keys', 'create', 'ci', '--data', folder, '--scopes', 'read'], {
    env: NO_STORE,
  })
  const key = created.stdout.trim()
  expect(await status(`${url}/v1/projects`, key)).toBe(200)
  expect(await status(`${url}/v1/webhooks`, key)).toBe(403)
  const listed = await runWarm(['keys', 'list', '--data', folder], { env: NO_STORE })
  expect(listed.stdout).toMatch(/^key_\w+\tproj_\w+\tsk_live_\S+\tread\tvalid\tused .*\tci$/m)
  expect(listed.stdout).not.toContain(key)
  const id = /(key_\w+)\t.*\tci$/m.exec(listed.stdout)?.[1] ?? ''
  expect((await runWarm(['keys', 'revoke', id, '--data', folder], { env: NO_STORE })).code).toBe(0)
  expect(await status(`${url}/v1/projects`, key)).toBe(401)
})

test('copies a store that is used, and the copy serves', async () => {
  const folder = newFolder()
  const key = 'sk_chosen_by_somebody_else'
  const environment = { ...NO_STORE, STAGECRAFT_ADMIN_KEY: key, STAGECRAFT_SECRET_KEY: 'ab'.repeat(32) }
  await startServe(['--data', folder], environment)
  const copy = newFolder()
  const parameters = ['db', 'backup', join(copy, 'stagecraft.db'), '--data', folder]
  expect((await runWarm(parameters, { env: environment })).code).toBe(0)
  const before = readFileSync(join(copy, 'stagecraft.db'))
  const again = await runWarm(parameters, { env: environment })
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('a name that no file has yet') })
  expect(readFileSync(join(copy, 'stagecraft.db'))).toEqual(before)
  const { url } = await startServe(['--data', copy], environment)
  expect(await status(`${url}/v1/projects`, key)).toBe(200)
})

test('says what is wrong with what it is started with, and leaves nothing behind', async () => {
  const folder = join(newFolder(), 'data')
  for (const [environment, flags, message] of [
    [{ DATABASE_URL: 'mysql://me:hunter2@host/db' }, [], 'DATABASE_URL: expected postgres://'],
    [{ STAGECRAFT_SECRET_KEY: 'hunter2' }, [], 'STAGECRAFT_SECRET_KEY: expected 32 bytes'],
    [{ STAGECRAFT_WEBHOOK_ALLOW_CIDRS: 'nope' }, [], 'allowCidrs.0: expected a range'],
    [{ STAGECRAFT_CONNECTION_NETWORKS: 'public,nope' }, [], 'networks.1: expected one of public'],
    [{ STAGECRAFT_ALLOW_LOCAL: 'perhaps' }, [], 'STAGECRAFT_ALLOW_LOCAL: expected 1 or 0'],
    [{}, ['--role', 'worker', '--catalog', 'x.yml'], '--role: expected'],
  ] as const) {
    const parameters = ['serve', '--port', '0', '--data', folder, ...flags]
    const { code, stderr } = await runCli(parameters, { env: { ...NO_STORE, ...environment } })
    expect(code).toBe(2)
    expect(stderr).toContain(message.replace('--role: expected', '--role: not with --catalog'))
    expect(stderr).not.toContain('hunter2')
  }
  expect(existsSync(join(folder, 'stagecraft.db'))).toBe(false)
})

test('refuses a store that was sealed with another key', async () => {
  const folder = newFolder()
  const environment = { ...NO_STORE, STAGECRAFT_SECRET_KEY: 'ab'.repeat(32) }
  await startServe(['--data', folder], environment)
  expect((await runWarm(['db', 'migrate', '--data', folder], { env: environment })).code).toBe(0)
  const { code, stderr } = await runWarm(['db', 'migrate', '--data', folder], {
    env: { ...NO_STORE, STAGECRAFT_SECRET_KEY: 'cd'.repeat(32) },
  })
  expect(code).toBe(2)
  expect(stderr).toContain('expected the key that encrypted the secrets of this store, got another')
})

test('seals the secrets of a store that is used with another key', async () => {
  const folder = newFolder()
  const [old, next] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const keys = (...list: readonly string[]) => ({ ...NO_STORE, STAGECRAFT_SECRET_KEY: list.join(',') })
  await startServe(['--data', folder], keys(old))
  await startServe(['--data', folder], keys(next, old))
  const reseal = () => runWarm(['db', 'reseal', '--data', folder], { env: keys(next, old) })
  // the connection to the demo warehouse, and what tells whether a key is the right one
  expect(await reseal()).toMatchObject({ code: 0, stderr: 'secrets encrypted with the newest key: 2\n' })
  expect(await reseal()).toMatchObject({ code: 0, stderr: 'secrets encrypted with the newest key: 0\n' })
  const migrate = ['db', 'migrate', '--data', folder]
  expect((await runWarm(migrate, { env: keys(next) })).code).toBe(0)
  expect((await runWarm(migrate, { env: keys(old) })).code).toBe(2)
})

test('makes no store where a data folder was mistyped', async () => {
  const folder = newFolder()
  for (const parameters of [
    ['db', 'migrate'],
    ['db', 'reseal'],
    ['db', 'backup', join(folder, 'copy.db')],
    ['keys', 'list'],
    ['keys', 'create', 'ci'],
    ['keys', 'revoke', 'key_1'],
  ]) {
    const { code, stderr } = await runWarm([...parameters, '--data', join(folder, 'dta')], { env: NO_STORE })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^error\[INVALID_REQUEST\] --data: expected the data folder of a store/,
      ) as string,
    })
  }
  expect(readdirSync(folder)).toEqual([])
})

test('a data folder that cannot be made is told of at once', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  const { code, stderr } = await runCli(['serve', '--data', join(file, 'data')], { env: NO_STORE })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(
      /^error\[INVALID_REQUEST\] --data: expected a folder to write to, .* is a file, not a folder/,
    ) as string,
  })
})

test('what has the form of a secret is in no line of the log', async () => {
  const secrets = [
    `sk_live_${'q'.repeat(30)}_aaaaaa`,
    'sk-ant-api03-qqqqqqqqqqqqqqqqqqqq',
    'whsec_qqqqqqqqqqqqqqqqqqqqqqqq',
    'ghp_qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
  ]
  const { stderr, url } = await startServe(['--data', newFolder()], NO_STORE)
  for (const secret of secrets) {
    const encoded = secret.replace('q', '%71').replace('_', '%5f')
    for (const path of [
      `/nope/${secret}`,
      `/nope/${encoded}`,
      `/v1/units/${secret}?key=${secret}`,
      `/${secret}`,
    ])
      await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secret}`, 'x-request-id': secret } })
  }
  await fetch(`${url}/nope/postgres:%2F%2Fme:hunter2@host%2Fdb`)
  await expect
    .poll(
      () =>
        stderr()
          .split('\n')
          .filter((line) => line.includes('request completed')).length,
    )
    .toBe(17)
  expect(stderr()).not.toMatch(/q{6}|hunter2/)
  expect(stderr()).toContain('/nope/sk_live_***')
})

test.each([
  ['hunter2', 'expected a key of 20 to 512 letters, digits and'],
  [`sk_live_${'0'.repeat(30)}_hunter`, 'expected a key with a valid checksum, got a key with a typing error'],
])('refuses the admin key %s', async (key, message) => {
  const folder = join(newFolder(), 'data')
  const { code, stderr } = await runCli(['serve', '--port', '0', '--data', folder], {
    env: { ...NO_STORE, STAGECRAFT_ADMIN_KEY: key },
  })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`STAGECRAFT_ADMIN_KEY: ${message}`) as string,
  })
  expect(stderr).not.toContain(key)
  expect(existsSync(folder)).toBe(false)
})

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from './run-cli.ts'
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
  const key = /shown this once: (sk_live_\w+)/.exec(first.stderr())?.[1] ?? ''
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
  expect(again.stderr()).not.toContain('sk_live_')
  expect(await status(`${again.url}/v1/projects`, key)).toBe(200)
}, 60_000)

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
}, 60_000)

test('makes, lists and revokes keys while a service runs on the store', async () => {
  const folder = newFolder()
  const { url } = await startServe(['--data', folder], NO_STORE)
  const created = await runCli(['keys', 'create', 'ci', '--data', folder, '--scopes', 'read'], {
    env: NO_STORE,
  })
  const key = created.stdout.trim()
  expect(await status(`${url}/v1/projects`, key)).toBe(200)
  expect(await status(`${url}/v1/webhooks`, key)).toBe(403)
  const listed = await runCli(['keys', 'list', '--data', folder], { env: NO_STORE })
  expect(listed.stdout).toMatch(/^key_\w+\tproj_\w+\tsk_live_\S+\tread\tvalid\tused .*\tci$/m)
  expect(listed.stdout).not.toContain(key)
  const id = /(key_\w+)\t.*\tci$/m.exec(listed.stdout)?.[1] ?? ''
  expect((await runCli(['keys', 'revoke', id, '--data', folder], { env: NO_STORE })).code).toBe(0)
  expect(await status(`${url}/v1/projects`, key)).toBe(401)
}, 60_000)

test('copies a store that is used, and the copy serves', async () => {
  const folder = newFolder()
  const key = 'sk_chosen_by_somebody_else'
  const environment = { ...NO_STORE, STAGECRAFT_ADMIN_KEY: key, STAGECRAFT_SECRET_KEY: 'ab'.repeat(32) }
  await startServe(['--data', folder], environment)
  const copy = newFolder()
  const parameters = ['db', 'backup', join(copy, 'stagecraft.db'), '--data', folder]
  expect((await runCli(parameters, { env: environment })).code).toBe(0)
  const { url } = await startServe(['--data', copy], environment)
  expect(await status(`${url}/v1/projects`, key)).toBe(200)
}, 60_000)

test('says what is wrong with what it is started with, and leaves nothing behind', async () => {
  const folder = join(newFolder(), 'data')
  for (const [environment, flags, message] of [
    [{ DATABASE_URL: 'mysql://me:hunter2@host/db' }, [], 'DATABASE_URL: expected postgres://'],
    [{ STAGECRAFT_SECRET_KEY: 'hunter2' }, [], 'STAGECRAFT_SECRET_KEY: expected 32 bytes'],
    [{ STAGECRAFT_WEBHOOK_ALLOW_CIDRS: 'nope' }, [], 'allowCidrs.0: expected a range'],
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
}, 60_000)

test('refuses a store that was sealed with another key', async () => {
  const folder = newFolder()
  const first = await runCli(['db', 'migrate', '--data', folder], {
    env: { ...NO_STORE, STAGECRAFT_SECRET_KEY: 'ab'.repeat(32) },
  })
  expect(first.code).toBe(0)
  const { code, stderr } = await runCli(['db', 'migrate', '--data', folder], {
    env: { ...NO_STORE, STAGECRAFT_SECRET_KEY: 'cd'.repeat(32) },
  })
  expect(code).toBe(2)
  expect(stderr).toContain('expected the key that the secrets of this store were sealed with, got another')
})

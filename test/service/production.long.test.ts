// What docs/how-to/run-in-production.md promises: processes are replaced without a failed request, and a store comes back
// from its backup.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { askOf } from '../conformance/ask.ts'
import { expectSuccess } from '../conformance/expect-envelope.ts'
import { repositoryPath } from '../paths.ts'
import { describeWithServer, postgresServer } from '../servers.ts'
import { createDatabase, type OwnDatabase } from './own-database.ts'
import { newAdminKey, type RunningService, type ServiceStart, startService } from './start-service.ts'

const execute = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'stagecraft-production-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function start(options: Omit<ServiceStart, 'flags'>): Promise<RunningService> {
  const service = await startService({ ...options, flags: ['--rate-limit', '1000000'] })
  onTestFinished(async () => void (await service.stop('SIGKILL')))
  return service
}

async function ownDatabase(url: string): Promise<OwnDatabase> {
  const database = await createDatabase(url)
  onTestFinished(() => database.drop())
  return database
}

/** Makes a project with a unit, and returns what reads them. */
async function fill(service: RunningService, key: string) {
  const ask = askOf({ ...service, key })
  const { items } = expectSuccess(await ask('GET /v1/projects'))
  const path = `/v1/projects/${(items as readonly [{ readonly id: string }])[0].id}/units`
  const body = { type: 'staging', source: 'stripe.charges' }
  expectSuccess(await ask(`POST ${path}`, { body }), 201)
  return {
    path,
    read: async (from: RunningService) => expectSuccess(await askOf({ ...from, key })(`GET ${path}`)),
  }
}

const server = await postgresServer()

describeWithServer('the service in production', server, () => {
  test('replaces all processes under load, and no request fails', async () => {
    const adminKey = newAdminKey()
    const { url: databaseUrl } = await ownDatabase(server.url)
    const begin = () => start({ adminKey, databaseUrl, folder: join(folder, 'replaced') })
    /** What a load balancer has in rotation. */
    const rotation: RunningService[] = [await begin(), await begin()]
    const { path } = await fill(rotation[0] as RunningService, adminKey)

    const failures: string[] = []
    let answered = 0
    const load = new AbortController()
    const client = async (index: number): Promise<void> => {
      for (let turn = index; !load.signal.aborted; turn += 1) {
        const service = rotation[turn % rotation.length] as RunningService
        const ask = askOf({ ...service, key: adminKey })
        const source = `load_${index}.table_${turn}`
        try {
          const isWrite = turn % 5 === 0
          const { status, text } = await (isWrite
            ? ask(`POST ${path}`, { body: { type: 'staging', source } })
            : ask(`GET ${path}?limit=5`))
          if (status !== (isWrite ? 201 : 200)) failures.push(`${status} ${text}`)
        } catch (error) {
          failures.push(String(error))
        }
        answered += 1
      }
    }
    const clients = Array.from({ length: 6 }, (_, index) => client(index))
    for (let replaced = 0; replaced < 4; replaced += 1) {
      const fresh = await begin()
      expect((await fetch(`${fresh.apiUrl}/readyz`)).status).toBe(200)
      rotation.push(fresh)
      const old = rotation.shift() as RunningService
      // the `preStop` of deploy/kubernetes.yaml: what was on its way when the process left the rotation arrives
      await pause(1000)
      expect(await old.stop()).toBe(0)
    }
    load.abort()
    await Promise.all(clients)
    expect(failures).toEqual([])
    expect(answered).toBeGreaterThan(100)
  }, 300_000)

  test('comes back from pg_dump as it was', async () => {
    const adminKey = newAdminKey()
    const [lived, restored] = [await ownDatabase(server.url), await ownDatabase(server.url)]
    const first = await start({ adminKey, databaseUrl: lived.url, folder: join(folder, 'dumped') })
    const { read } = await fill(first, adminKey)
    const before = await read(first)
    const dump = join(folder, 'store.dump')
    await execute('pg_dump', ['--format=custom', `--file=${dump}`, lived.url])
    await execute('pg_restore', ['--no-owner', `--dbname=${restored.url}`, dump])
    const second = await start({ adminKey, databaseUrl: restored.url, folder: join(folder, 'restored') })
    expect(await read(second)).toEqual(before)
  }, 300_000)
})

test('an embedded store comes back from its backup as it was', async () => {
  const adminKey = newAdminKey()
  const [lived, copied] = [join(folder, 'lived'), join(folder, 'copied')]
  const first = await start({ adminKey, folder: lived })
  const { path, read } = await fill(first, adminKey)
  const before = await read(first)
  mkdirSync(copied)
  const command = [repositoryPath('packages/cli/src/bin.ts'), 'db', 'backup', join(copied, 'stagecraft.db')]
  const env = {
    ...process.env,
    DATABASE_URL: '',
    STAGECRAFT_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  await execute(process.execPath, [...command, '--data', lived], { env })
  const later = { body: { type: 'staging', source: 'stripe.refunds' } }
  expectSuccess(await askOf({ ...first, key: adminKey })(`POST ${path}`, later), 201)
  const second = await start({ adminKey, folder: copied })
  expect(await read(second)).toEqual(before)
}, 300_000)

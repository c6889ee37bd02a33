// The Python client, generated, installed as a wheel and used against the service on either store.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signDelivery } from '@stagecraft/webhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../docs/pages.ts'
import { repositoryPath } from '../paths.ts'
import { describeWithServer, postgresServer } from '../servers.ts'
import { createDatabase } from '../service/own-database.ts'
import { newAdminKey, type RunningService, startService } from '../service/start-service.ts'

const execute = promisify(execFile)

const VENV = repositoryPath('.venvs/python-client')
const isInstalled = existsSync(join(VENV, 'bin/openapi-python-client'))
const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])

const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`

const place = mkdtempSync(join(tmpdir(), 'stagecraft-python-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const server = await postgresServer()
const STATE = isInstalled ? 'installed' : 'test/engines/install.sh installs it'

describe.skipIf(!isInstalled && !isRequired)(`the Python client (${STATE})`, () => {
  const folder = join(place, 'site')

  beforeAll(async () => {
    const project = repositoryPath('clients/python')
    await execute(process.execPath, [join(project, 'generate.ts')])
    const pip = ['--disable-pip-version-check', '--no-deps', '--quiet']
    const build = ['wheel', ...pip, '--no-build-isolation', '--wheel-dir', place, project]
    await execute(join(VENV, 'bin/pip'), build)
    const wheel = readdirSync(place).find((name) => name.endsWith('.whl')) ?? ''
    await execute(join(VENV, 'bin/pip'), ['install', ...pip, '--target', folder, join(place, wheel)])
  }, 300_000)

  test('cannot be built without its generated part', async () => {
    const copy = join(place, 'copy')
    const own = repositoryPath('clients/python')
    cpSync(own, copy, { recursive: true, filter: (path) => !path.endsWith('stagecraft_client/http') })
    const build = ['wheel', '--no-deps', '--no-build-isolation', '--wheel-dir', join(place, 'none'), copy]
    await expect(execute(join(VENV, 'bin/pip'), build)).rejects.toMatchObject({
      stderr: expect.stringContaining(
        'stagecraft_client/http is missing; in the clone, run: npm run -s python-client',
      ) as string,
    })
  }, 300_000)

  test('has types that callers can rely on', async () => {
    const files = [USED, ...examples()].map((text, at) => {
      const file = join(place, `used_${at}.py`)
      writeFileSync(file, text)
      return file
    })
    const { stdout } = await execute(
      join(VENV, 'bin/mypy'),
      ['--strict', '--cache-dir', join(place, 'mypy'), ...files],
      {
        env: { ...process.env, MYPYPATH: folder },
      },
    ).catch((error: { readonly stdout: string }) => error)
    expect(stdout).toBe(`Success: no issues found in ${files.length} source files\n`)
  }, 300_000)

  test('receives webhooks as documented', async () => {
    const receiver = examples().find((text) => text.includes('def receive')) ?? ''
    const { body, headers, secret } = signed()
    const calls = [body, `${body} `].map((text) => {
      const passed = [text, JSON.stringify(headers)].map((one) => JSON.stringify(one))
      return `print(receive(${passed[0]}.encode(), __import__("json").loads(${passed[1]})))`
    })
    const { stdout } = await execute(
      join(VENV, 'bin/python'),
      ['-c', [receiver.replace('whsec_…', secret), ...calls].join('\n')],
      {
        env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' },
      },
    )
    expect(stdout).toBe("generation.completed {'unit_name': 'größe'}\n204\n401\n")
  }, 300_000)

  /** Runs an example of the page in a folder, and returns what it prints. */
  const runExample = async (number: number, own: string, texts: Readonly<Record<string, string>>) => {
    const program = Object.entries(texts).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      examples()[number] ?? '',
    )
    const { stderr, stdout } = await execute(join(VENV, 'bin/python'), ['-c', program], {
      cwd: own,
      env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' },
    })
    expect(stderr).toBe('')
    return stdout
  }

  const uses = (databaseUrl: () => Promise<string | undefined>): void => {
    test('calls, lists, waits, repeats and verifies', { timeout: 300_000 }, async () => {
      const own = mkdtempSync(join(place, 'service-'))
      const adminKey = newAdminKey()
      const url = await databaseUrl()
      const service: RunningService = await startService({
        adminKey,
        folder: own,
        ...(url !== undefined && { databaseUrl: url }),
      })
      try {
        const { stderr } = await execute(
          join(VENV, 'bin/python'),
          ['-W', 'ignore::ResourceWarning', repositoryPath('clients/python/tests/test_service.py')],
          {
            env: {
              ...process.env,
              PYTHONPATH: folder,
              PYTHONDONTWRITEBYTECODE: '1',
              STAGECRAFT_URL: service.apiUrl,
              STAGECRAFT_API_KEY: adminKey,
              STAGECRAFT_DELIVERY: JSON.stringify({
                ...signed(),
                own: signed('größe & more', EVENT),
                array: signed(SECRET, []),
              }),
            },
          },
        )
        expect(stderr).toMatch(/^Ran 20 tests in .*\n\nOK\n$/m)
        const texts = { 'https://stagecraft.example.com': service.apiUrl, 'sk_live_…': adminKey }
        const failed = await runExample(0, own, texts)
        expect(failed).toMatch(/^INVALID_SOURCE source raw\.stripe\.payments: .+\n$/)
        const done = await runExample(0, own, { ...texts, 'raw.stripe.payments': 'crm.contacts' })
        expect(done).toContain('as contact_id')
        if (url === undefined) return
        const all = await runExample(1, own, { ...texts, 'postgres://…': url })
        expect(all).toMatch(/^completed\nGenerationUnits\(total=(\d+), completed=\1, .*\n(stg_\w+\n){5}/)
        expect(readFileSync(join(own, 'models.zip')).subarray(0, 2).toString()).toBe('PK')
      } finally {
        await service.stop()
      }
    })
  }

  describe('on the embedded store', () => {
    uses(async () => undefined)
  })
  describeWithServer('on PostgreSQL', server, () => {
    let drop: () => Promise<void>
    afterAll(() => drop())
    uses(async () => {
      const database = await createDatabase(server.url)
      drop = () => database.drop()
      return database.url
    })
  })
})

const examples = (): readonly string[] =>
  blocksOf('clients/python/README.md').flatMap(({ language, text }) => (language === 'python' ? text : []))

/** What its types have to allow. */
const USED = `from stagecraft_client import connect, iterate, iterate_async, wait, wait_async
from stagecraft_client.http.api.scans import get_scan
from stagecraft_client.http.api.units import create_unit, list_units
from stagecraft_client.http.models import CreateUnitBody, Scan, Unit

client = connect("https://stagecraft.example.com", "sk_live_x")
answer = create_unit.sync("proj_1", client=client, body=CreateUnitBody(type_="staging", source="raw.stripe.payments"))
name: str = answer.data.name
units: list[Unit] = list(iterate(list_units, "proj_1", client=client, limit=2))
iterate(list_units, "proj_1", client=client, size=2)  # type: ignore[call-arg]
scan: Scan = wait(get_scan, "proj_1", "scan_1", client=client)
number: int = scan.id  # type: ignore[assignment]


async def read() -> None:
    async for unit in iterate_async(list_units, "proj_1", client=client):
        source: str = unit.source
    ended: Scan = await wait_async(get_scan, "proj_1", "scan_1", client=client)
`

const EVENT = {
  id: 'evt_1',
  event: 'generation.completed',
  created_at: '2026-01-02T03:04:05Z',
  project_id: 'proj_1',
  data: { unit_name: 'größe' },
}

interface Signed {
  readonly body: string
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
}

function signed(secret = SECRET, event: object = EVENT): Signed {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000)
  return { body, secret, headers: signDelivery({ id: 'evt_1', timestamp, body, secrets: [secret] }) }
}

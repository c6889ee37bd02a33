// The Python client, generated, installed as a wheel and used against the service on either store.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signDelivery } from '@stagecraft/webhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

  test('has types that hold where it is used', async () => {
    const file = join(place, 'used.py')
    writeFileSync(file, USED)
    const { stdout } = await execute(join(VENV, 'bin/mypy'), ['--cache-dir', join(place, 'mypy'), file], {
      env: { ...process.env, MYPYPATH: folder },
    }).catch((error: { readonly stdout: string }) => error)
    expect(stdout).toBe('Success: no issues found in 1 source file\n')
  }, 300_000)

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
              PYTHONPATH: folder,
              PYTHONDONTWRITEBYTECODE: '1',
              STAGECRAFT_URL: service.apiUrl,
              STAGECRAFT_API_KEY: adminKey,
              STAGECRAFT_DELIVERY: JSON.stringify(signed()),
            },
          },
        )
        expect(stderr).toMatch(/^Ran 12 tests in .*\n\nOK\n$/m)
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

/** What a reader of the README writes. */
const USED = `from stagecraft_client import connect
from stagecraft_client.http.api.units import create_unit
from stagecraft_client.http.models import CreateUnitBody

client = connect("https://stagecraft.example.com", "sk_live_x")
answer = create_unit.sync("proj_1", client=client, body=CreateUnitBody(type_="staging", source="raw.stripe.payments"))
assert answer
name: str = answer.data.name
`

function signed(): object {
  const body = '{"type":"generation.completed","data":{"name":"größe"}}'
  const timestamp = Math.floor(Date.now() / 1000)
  return { body, secret: SECRET, headers: signDelivery({ id: 'evt_1', timestamp, body, secrets: [SECRET] }) }
}

import { describe, expect, test } from 'vitest'
import type { Asked } from './ask.ts'
import { expectFailure, expectSuccess } from './expect-envelope.ts'
import type { UseSession } from './session.ts'

const WEBHOOK = { url: 'https://example.com/', events: ['unit.created'], secret: 'secret' }

/** §5: keys. */
export function authenticationTests(use: UseSession): void {
  const routes = (): readonly (readonly [string, Asked])[] => {
    const { projectId, source } = use()
    return [
      ['POST /generate', { body: { type: 'staging', source } }],
      ['POST /v1/webhooks', { body: WEBHOOK }],
      ['GET /v1/projects', {}],
      [`GET /v1/projects/${projectId}/units`, {}],
    ]
  }
  const expectUnauthorized = async (asked: Asked): Promise<void> => {
    for (const [line, rest] of routes()) {
      const answer = await use().ask(line, { ...rest, ...asked })
      expectFailure(answer, 'UNAUTHORIZED')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
    }
  }

  describe('§5 authentication', () => {
    test('§5.1 every request carries Authorization: Bearer <API_KEY>', async () => {
      const { ask, projectId, source } = use()
      expectSuccess(await ask('POST /generate', { body: { type: 'staging', source } }))
      expectSuccess(await ask(`GET /v1/projects/${projectId}`))
    })

    test('§5.4 a missing key yields UNAUTHORIZED', async () => {
      await expectUnauthorized({ key: null })
    })

    test.each(['x', 'sk_live_000000000000000000000000000000_000000'])(
      '§5.4 an invalid key yields UNAUTHORIZED: %s',
      async (key) => {
        await expectUnauthorized({ key })
      },
    )

    test('§5.4 a key with one letter more is invalid', async () => {
      await expectUnauthorized({ key: `${use().target.key}0` })
    })

    test.each([
      ['Basic', (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
      ['Token', (key: string) => `Token ${key}`],
      ['none', (key: string) => key],
      ['Bearer without a key', () => 'Bearer'],
    ])('§5.4 a key by another scheme is missing: %s', async (_scheme, write) => {
      await expectUnauthorized({ headers: { authorization: write(use().target.key) } })
    })

    test('§5.4 a key that was revoked is invalid', async () => {
      const { ask, projectId } = use()
      const path = `/v1/projects/${projectId}/keys`
      const body = { name: 'to be revoked', scopes: ['read'] }
      const { id, secret } = expectSuccess(await ask(`POST ${path}`, { body }), 201)
      const key = String(secret)
      expectSuccess(await ask('GET /v1/projects', { key }))
      expectSuccess(await ask(`DELETE ${path}/${String(id)}`))
      expectFailure(await ask('GET /v1/projects', { key }), 'UNAUTHORIZED')
    })

    test('§5.4 a key lacking the needed permission yields FORBIDDEN', async () => {
      const { ask, keyWith, projectId, source } = use()
      const read = await keyWith('read')
      const generate = await keyWith('generate')
      const body = { type: 'staging', source }
      expectFailure(await ask('POST /generate', { body, key: read }), 'FORBIDDEN')
      expectFailure(await ask('POST /v1/webhooks', { body: WEBHOOK, key: read }), 'FORBIDDEN')
      expectFailure(await ask(`POST /v1/projects/${projectId}/units`, { body, key: read }), 'FORBIDDEN')
      expectFailure(await ask(`GET /v1/projects/${projectId}/units`, { key: generate }), 'FORBIDDEN')
      expectSuccess(await ask(`GET /v1/projects/${projectId}/units`, { key: read }))
      expectSuccess(await ask('POST /generate', { body, key: generate }))
    })
  })
}

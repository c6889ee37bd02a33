import { describe, expect, test } from 'vitest'
import { freshName } from './ask.ts'
import { expectFailure, expectFault, expectSuccess } from './expect-envelope.ts'
import type { UseSession } from './session.ts'

/** §4.1: `POST {base_url}/generate`. */
export function endpointTests(use: UseSession): void {
  const body = () => ({ type: 'staging', source: use().source })

  describe('§4.1 POST {base_url}/generate', () => {
    test('§4.1 takes the headers Authorization and Content-Type', async () => {
      const { ask } = use()
      expectSuccess(await ask('POST /generate', { body: body() }))
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      expectSuccess(await ask('POST /generate', { body: body(), headers }))
    })

    test('§4.1 answers a success as JSON with 200', async () => {
      const { headers, status } = await use().ask('POST /generate', { body: body() })
      expect(status).toBe(200)
      expect(headers.get('content-type')).toMatch(/^application\/json\b/)
    })

    test.each(['', '{', '{"type":"staging",}', '[]', '"staging"', 'null', '1', '\u0000'])(
      '§4.1 answers the body %j with the error envelope',
      async (text) => {
        expectFailure(await use().ask('POST /generate', { text }), 'INVALID_REQUEST')
      },
    )

    test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('§4.1 is POST and not %s', async (method) => {
      expectFailure(await use().ask(`${method} /generate`), 'NOT_FOUND')
    })
  })
}

/** §9: versions in paths. */
export function versionTests(use: UseSession): void {
  describe('§9 versioning', () => {
    test('§9 the path of webhooks has the segment /v1', async () => {
      const { ask } = use()
      expectSuccess(await ask('GET /v1/webhooks'))
      expectFailure(await ask('GET /webhooks'), 'NOT_FOUND')
    })

    test('§9 the base address has no such segment', async () => {
      const { ask } = use()
      const body = { type: 'staging', source: use().source }
      expectSuccess(await ask('POST /generate', { body }))
      expectFailure(await ask('POST /v1/generate', { body }), 'NOT_FOUND')
    })
  })
}

/** §2.6: forms of identifiers. */
export function identifierTests(use: UseSession): void {
  describe('§2.6 identifiers', () => {
    test('§2.6 projects: proj_<id>', () => {
      expect(use().projectId).toMatch(/^proj_\w+$/)
    })

    test('§2.6 units: unit_<id>', async () => {
      const { create, projectId } = use()
      const unit = { type: 'staging', source: `${freshName('schema')}.orders` }
      expect((await create(`/v1/projects/${projectId}/units`, unit))['id']).toMatch(/^unit_\w+$/)
    })

    test('§2.6 events: evt_<id>', async () => {
      const { ask, create, projectId } = use()
      const unit = { type: 'staging', source: `${freshName('schema')}.orders` }
      await create(`/v1/projects/${projectId}/units`, unit)
      const { items } = expectSuccess(await ask('GET /v1/events?limit=1'))
      expect(items).toEqual([expect.objectContaining({ id: expect.stringMatching(/^evt_\w+$/) })])
    })
  })
}

/** §5.2: of all requests with a body. */
export function contentTypeTests(use: UseSession): void {
  describe('§5.2 Content-Type', () => {
    test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'json'])(
      '§5.2 a body as %s is refused',
      async (type) => {
        const { ask, source } = use()
        const headers = { 'content-type': type }
        const asked = { body: { type: 'staging', source }, headers }
        expectFault(await ask('POST /generate', asked), 'content-type')
        expectFault(await ask('POST /v1/webhooks', asked), 'content-type')
      },
    )
  })
}

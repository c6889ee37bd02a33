import { describe, expect, test } from 'vitest'
import { freshName } from './ask.ts'
import { expectFailure, expectFault, expectSuccess } from './expect-envelope.ts'
import type { UseSession } from './session.ts'

const INPUT = {
  url: 'https://example.com/hooks',
  events: ['generation.completed', 'generation.failed'],
  secret: 'a secret of the conformance suite',
}

/** §2.4 and §4.2: subscriptions. */
export function webhookTests(use: UseSession): void {
  const post = (body: unknown) => use().ask('POST /v1/webhooks', { body })
  const without = (member: keyof typeof INPUT) =>
    Object.fromEntries(Object.entries(INPUT).filter(([name]) => name !== member))

  describe('§2.4 webhook subscription', () => {
    test.each(['url', 'events', 'secret'] as const)('§2.4 %s: is required', async (member) => {
      expectFault(await post(without(member)), member)
    })

    test.each([
      ['url', 1],
      ['events', 'unit.created'],
      ['events', [1]],
      ['events', []],
      ['secret', 1],
      ['secret', ''],
    ])('§2.4 %s: is refused as %j', async (member, value) => {
      expectFault(await post({ ...INPUT, [member]: value }), member)
    })

    test.each([
      'http://8.8.8.8/hooks',
      'ftp://example.com/',
      'example.com/hooks',
      'https://',
      'javascript:0',
    ])('§2.4 url: is an HTTPS address, and %s is none', async (url) => {
      expectFault(await post({ ...INPUT, url }), 'url')
    })

    test('§2.4 events: are names of §6', async () => {
      expectFault(await post({ ...INPUT, events: ['unit.created', 'unit.renamed'] }), 'events')
    })

    test('§2.4 secret: is shown by no answer', async () => {
      const { ask, create } = use()
      const secret = freshName('secret')
      const made = await create('/v1/webhooks', { ...INPUT, secret })
      expect(JSON.stringify(made)).not.toContain(secret)
      const path = `/v1/webhooks/${String(made['id'])}`
      for (const line of [`GET ${path}`, 'GET /v1/webhooks', `GET ${path}/deliveries`]) {
        expect((await ask(line)).text).not.toContain(secret)
      }
    })
  })

  describe(`§4.2 POST {api_url}/v1/webhooks`, () => {
    test('§4.2 creates a webhook subscription', async () => {
      const { ask, create } = use()
      const { id } = await create('/v1/webhooks', INPUT)
      const { events, url } = expectSuccess(await ask(`GET /v1/webhooks/${String(id)}`))
      expect({ events, url }).toEqual({ events: INPUT.events, url: INPUT.url })
    })

    test('§4.2 needs the header Authorization', async () => {
      expectFailure(await use().ask('POST /v1/webhooks', { body: INPUT, key: null }), 'UNAUTHORIZED')
    })

    test('§4.2 needs the header Content-Type', async () => {
      const headers = { 'content-type': 'text/plain' }
      expectFault(await use().ask('POST /v1/webhooks', { body: INPUT, headers }), 'content-type')
    })
  })
}

import { sign, verify as verifyService } from '@octokit/webhooks-methods'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { StagecraftError } from '@stagecraft/spec'
import { signDelivery } from './sign-delivery.ts'
import { OUR_VECTORS, SERVICE_VECTORS, STANDARD_VECTORS } from './testing/vectors.ts'
import { verify } from './verify/index.ts'

function faultsOf(run: () => unknown): readonly unknown[] {
  try {
    run()
  } catch (error) {
    if (error instanceof StagecraftError) return error.details?.faults ?? []
  }
  return []
}

test.each([...STANDARD_VECTORS, ...SERVICE_VECTORS, ...OUR_VECTORS])(
  'signs the vector of $id, $body',
  ({ secret, id, timestamp, body, service, standard }) => {
    const headers = signDelivery({ id, timestamp, body, secrets: [secret] })
    expect(headers).toMatchObject({
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(service !== undefined && { 'x-service-signature': service }),
      ...(standard !== undefined && { 'webhook-signature': standard }),
    })
  },
)

test('gives text and its bytes the same signature', () => {
  const delivery = { id: 'evt_1', timestamp: 1, secrets: ['s'] }
  const body = '{"é":"😀"}'
  expect(signDelivery({ ...delivery, body: new TextEncoder().encode(body) })).toEqual(
    signDelivery({ ...delivery, body }),
  )
})

test('signs with every overlapping secret, newest first, and our header with the newest', () => {
  const delivery = { id: 'evt_1', timestamp: 1, body: '{}' }
  const [one, two] = ['new', 'old'].map((secret) => signDelivery({ ...delivery, secrets: [secret] }))
  expect(signDelivery({ ...delivery, secrets: ['new', 'old'] })).toEqual({
    ...one,
    'webhook-signature': `${one?.['webhook-signature']} ${two?.['webhook-signature']}`,
  })
})

test('reports all faults at once, without showing a secret', () => {
  const delivery = { id: 'a.b', timestamp: 1.5, body: '', secrets: ['', 'whsec_', 'whsec_canary!'] }
  const faults = faultsOf(() => signDelivery(delivery))
  expect(faults).toMatchObject([
    { path: 'id' },
    { path: 'timestamp' },
    { path: 'secrets.0' },
    { path: 'secrets.1' },
    { path: 'secrets.2' },
  ])
  expect(JSON.stringify(faults)).not.toContain('canary')
  expect(faultsOf(() => signDelivery({ ...delivery, id: 'evt_1', timestamp: 1, secrets: [] }))).toMatchObject(
    [{ path: 'secrets' }],
  )
})

test('accepts base64 secrets with and without padding', () => {
  const sign = (secret: string) => signDelivery({ id: 'e', timestamp: 1, body: '', secrets: [secret] })
  expect(sign('whsec_cw')['webhook-signature']).toBe(sign('whsec_cw==')['webhook-signature'])
  expect(sign('whsec_cw')['webhook-signature']).toBe(sign('s')['webhook-signature'])
})

const secrets = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }).filter((secret) => !secret.startsWith('whsec_')),
  fc.uint8Array({ minLength: 1 }).map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`),
)

test('third-party libraries accept its signatures', async () => {
  const now = Math.floor(Date.now() / 1000)
  const check = async (secret: string, value: unknown): Promise<void> => {
    const body = JSON.stringify(value)
    const headers = signDelivery({ id: 'evt_1', timestamp: now, body, secrets: [secret] })
    const standard = secret.startsWith('whsec_')
      ? new Webhook(secret)
      : new Webhook(new TextEncoder().encode(secret), { format: 'raw' })
    expect(standard.verify(body, headers)).toEqual(JSON.parse(body))
    expect(await verifyService(secret, body, headers['x-service-signature'])).toBe(true)
  }
  await fc.assert(fc.asyncProperty(secrets, fc.jsonValue(), check), { numRuns: 50 })
})

test('verify accepts signatures of third-party libraries', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"n":1}'
  const date = new Date()
  const standard = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', date, body),
  }
  expect(await verify(body, standard, secret, { require: 'standard' })).toEqual({ n: 1 })
  const service = { 'x-service-signature': await sign(secret, body) }
  expect(await verify(body, service, secret)).toEqual({ n: 1 })
})

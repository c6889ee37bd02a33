import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signDelivery } from '../sign-delivery.ts'
import { OUR_VECTORS, SERVICE_VECTORS, STANDARD_VECTORS } from '../testing/vectors.ts'
import { verify, WebhookVerificationError } from './index.ts'
import type { HeadersLike } from './header-values.ts'
import type { VerifyOptions } from './verify.ts'

const SECRET = 'my-shared-secret'
const NOW = 1_800_000_000
const BODY = '{"id":"evt_1"}'
const clock = { now: () => NOW * 1000 }

function signed(change: Partial<Parameters<typeof signDelivery>[0]> = {}): Record<string, string> {
  return { ...signDelivery({ id: 'evt_1', timestamp: NOW, body: BODY, secrets: [SECRET], ...change }) }
}

function without(headers: Record<string, string>, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

async function reasonOf(
  headers: HeadersLike,
  options: VerifyOptions & { readonly secret?: string | readonly string[]; readonly payload?: unknown } = {},
): Promise<string> {
  const { secret = SECRET, payload = BODY, ...rest } = options
  try {
    await verify(payload as string, headers, secret, { ...clock, ...rest })
    return 'accepted'
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : 'another error'
  }
}

const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

describe('vectors', () => {
  test.each([...OUR_VECTORS, ...STANDARD_VECTORS])('accepts $standard', async (vector) => {
    const { secret, id, timestamp, body, service, standard } = vector
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': standard,
      'x-service-signature': service,
    }
    const options = { now: () => timestamp * 1000, require: 'standard' } as const
    expect(await verify(body, headers, secret, options)).toEqual(JSON.parse(body))
  })

  test.each(SERVICE_VECTORS)('accepts $service', async ({ secret, body, service }) => {
    const reason = await reasonOf({ 'x-service-signature': service }, { secret, payload: body })
    expect(reason).toBe(body.startsWith('{') ? 'accepted' : 'invalid_json')
  })
})

test.each([
  ['another body', { payload: '{"id":"evt_2"}' }],
  ['an empty body', { payload: '' }],
  ['another secret', { secret: 'another' }],
])('refuses %s', async (_, options) => {
  expect(await reasonOf(signed(), options)).toBe('signature_mismatch')
  expect(await reasonOf(without(signed(), 'x-service-signature'), { ...options, require: 'standard' })).toBe(
    'signature_mismatch',
  )
})

test.each([
  ['', 'invalid_secret'],
  ['whsec_', 'invalid_secret'],
  ['whsec_?', 'invalid_secret'],
  [[], 'invalid_secret'],
  [[SECRET, ''], 'invalid_secret'],
  [undefined, 'invalid_secret'],
])('refuses the secret %j', async (secret, reason) => {
  await expect(verify(BODY, signed(), secret, clock)).rejects.toMatchObject({ reason })
})

test('accepts each of several secrets', async () => {
  expect(await reasonOf(signed(), { secret: ['other', SECRET] })).toBe('accepted')
  expect(await reasonOf(signed({ secrets: ['new', SECRET] }), { secret: ['new', SECRET] })).toBe('accepted')
  expect(await reasonOf(signed({ secrets: ['new', SECRET] }), { secret: ['new', 'other'] })).toBe('accepted')
  expect(await reasonOf(signed(), { secret: ['other', 'third'] })).toBe('signature_mismatch')
})

describe('x-service-signature', () => {
  const hex = signed()['x-service-signature']?.slice('sha256='.length) ?? ''
  test.each([
    '',
    'sha256=',
    hex,
    `sha1=${hex}`,
    `sha256=${hex.toUpperCase()}`,
    `sha256=${hex.slice(0, 8)}`,
    `sha256=${hex}0`,
    `sha256=${hex}\n`,
    ` sha256=${hex}`,
    `sha256=${hex}, sha256=${hex}`,
    `sha256=${'g'.repeat(64)}`,
  ])('is refused as %j', async (value) => {
    expect(await reasonOf({ 'x-service-signature': value })).toBe('malformed_header')
  })

  test('is refused if it is repeated', async () => {
    const value = `sha256=${hex}`
    expect(await reasonOf({ 'x-service-signature': [value, value] })).toBe('malformed_header')
    expect(await reasonOf({ 'x-service-signature': value, 'X-Service-Signature': value })).toBe(
      'malformed_header',
    )
  })
})

describe('webhook-signature', () => {
  const right = signed()['webhook-signature'] ?? ''
  const wrong = signed({ secrets: ['wrong'] })['webhook-signature'] ?? ''

  test.each([
    ['v1,dawfeoifkpqwoekfpqoekf', 'malformed_header'],
    ['v1,', 'malformed_header'],
    ['', 'missing_standard_headers'],
    [right.slice(0, 8), 'malformed_header'],
    [right.replace('v1,', 'v2,'), 'malformed_header'],
    [right.replace('v1,', 't=1700000000,v1='), 'malformed_header'],
    [right.slice(0, -1), 'malformed_header'],
    [wrong, 'signature_mismatch'],
    [`${wrong} v2,${right.slice(3)} ${right}`, 'accepted'],
    [`${right} ${wrong}`, 'accepted'],
    [`v1a,abc ${right}`, 'accepted'],
  ])('%j is %s', async (value, reason) => {
    expect(await reasonOf({ ...signed(), 'webhook-signature': value })).toBe(reason)
  })

  test.each(['hello', '161426533.0', '-161426533', 'Infinity', '1e9', ' 1800000000', '', '0x6b49d200'])(
    'the timestamp %j is refused',
    async (timestamp) => {
      const reason = timestamp === '' ? 'missing_standard_headers' : 'malformed_header'
      expect(await reasonOf({ ...signed(), 'webhook-timestamp': timestamp })).toBe(reason)
    },
  )

  test('is refused for another id', async () => {
    expect(await reasonOf({ ...signed(), 'webhook-id': 'evt_2' })).toBe('signature_mismatch')
  })

  test.each([
    [NOW - 300, 'accepted'],
    [NOW - 301, 'timestamp_too_old'],
    [NOW + 300, 'accepted'],
    [NOW + 301, 'timestamp_too_new'],
  ])('at %i, a delivery is %s', async (timestamp, reason) => {
    expect(await reasonOf(signed({ timestamp }))).toBe(reason)
  })

  test('an invalid tolerance accepts nothing', async () => {
    expect(await reasonOf(signed(), { toleranceSeconds: Number.NaN })).toBe('timestamp_too_old')
    expect(await reasonOf(signed({ timestamp: NOW - 9 }), { toleranceSeconds: 10 })).toBe('accepted')
  })
})

describe('what is required', () => {
  const all = signed()
  const old = signed({ timestamp: NOW - 9999 })
  const wrong = { ...all, 'x-service-signature': `sha256=${'0'.repeat(64)}` }
  const fresh = { ...old, 'webhook-timestamp': String(NOW) }
  const alike = (reason: string): readonly string[] => [reason, reason, reason]

  test.each<[string, Record<string, string>, readonly string[]]>([
    ['everything', all, alike('accepted')],
    ['only ours', without(all, ...STANDARD), ['accepted', 'missing_standard_headers', 'accepted']],
    [
      'only the standard',
      without(all, 'x-service-signature'),
      ['missing_service_signature', 'accepted', 'accepted'],
    ],
    ['nothing', {}, ['missing_service_signature', 'missing_standard_headers', 'missing_signature']],
    ['an old one', old, alike('timestamp_too_old')],
    ['an old one with a new time', fresh, alike('signature_mismatch')],
    ['a wrong one of ours', wrong, alike('signature_mismatch')],
    ['all but the id', without(old, 'webhook-id'), alike('missing_standard_headers')],
    ['all but the time', without(old, 'webhook-timestamp'), alike('missing_standard_headers')],
    ['all but the signature', without(old, 'webhook-signature'), alike('missing_standard_headers')],
  ])('%s', async (_, headers, reasons) => {
    expect(await reasonOf(headers)).toBe(reasons[0])
    for (const [index, require] of (['service', 'standard', 'either'] as const).entries()) {
      expect([require, await reasonOf(headers, { require })]).toEqual([require, reasons[index]])
    }
  })
})

test('reads every kind of headers object', async () => {
  const headers = signed()
  expect(await reasonOf(new Headers(headers))).toBe('accepted')
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  )
  expect(await reasonOf(upper)).toBe('accepted')
})

test('refuses a body that was parsed', async () => {
  expect(await reasonOf(signed(), { payload: { id: 'evt_1' } })).toBe('invalid_payload')
})

test('refuses a signed body that is not JSON, or not UTF-8', async () => {
  for (const payload of ['{', '', new Uint8Array([0x22, 0xff, 0x22])]) {
    expect(await reasonOf(signed({ body: payload }), { payload })).toBe('invalid_json')
  }
})

const secrets = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }).filter((secret) => !secret.startsWith('whsec_')),
  fc.uint8Array({ minLength: 1 }).map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`),
)

test('accepts any bytes with a valid signature', async () => {
  const check = async (secret: string, body: Uint8Array): Promise<void> => {
    const reason = await reasonOf(signed({ body, secrets: [secret] }), { secret, payload: body })
    expect(['accepted', 'invalid_json']).toContain(reason)
  }
  await fc.assert(fc.asyncProperty(secrets, fc.uint8Array(), check))
})

function flip(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
}

test('refuses any single flipped bit', async () => {
  const headers = signed()
  const body = new TextEncoder().encode(BODY)
  const outcomes = new Map<string, string>()
  for (let bit = 0; bit < body.length * 8; bit += 1) {
    outcomes.set(`body ${bit}`, await reasonOf(headers, { payload: flip(body, bit) }))
  }
  for (const [name, value] of Object.entries(headers)) {
    const bytes = Buffer.from(value, 'latin1')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(flip(bytes, bit)).toString('latin1')
      outcomes.set(`${name} ${bit}`, await reasonOf({ ...headers, [name]: changed }))
    }
  }
  expect(outcomes.size).toBeGreaterThan(1000)
  expect([...outcomes].filter(([, reason]) => reason === 'accepted')).toEqual([])
})

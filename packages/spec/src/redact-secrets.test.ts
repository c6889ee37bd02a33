import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactError, redactMessages, redactParameters, redactSecrets } from './redact-secrets.ts'

test.each([
  ['/nope/sk_live_0123456789abcdefghijABCDEFGHIJ_abc123', '/nope/sk_live_***'],
  ['/nope/sk_live_0123456789', '/nope/sk_live_***'],
  ['the key sk_0123456789abcdef, then', 'the key sk_***, then'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer ***'],
  ['bearer%20abcdefghij', 'bearer%20***'],
  ['postgres://me:hunter2@host:5432/db?x=1', 'postgres://***@host:5432/db?x=1'],
  ['https://token@github.com/a/b.git', 'https://***@github.com/a/b.git'],
  ['?url=postgres%3A%2F%2Fme%3Ahunter2%40host', '?url=postgres://***@host'],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_***'],
  ['sk-ant-api03-abcdefghij', 'sk-***'],
  ['sk-proj-abcdefghij', 'sk-***'],
  ['ghp_abcdefghijklmnopqrst', 'ghp_***'],
  ['glpat-abcdefghijklmnopqrst', 'glpat-***'],
  ['AKIAIOSFODNN7EXAMPLE', 'AKIA***'],
  ['dapi0123456789abcdef0123456789abcdef', 'dapi***'],
  ['https://host/x?private_token=hunter2&a=b', 'https://host/x?private_token=***&a=b'],
  ['host=h password=hunter2 user=me', 'host=h password=*** user=me'],
  ['password=<x>hunter2', 'password=***'],
  [String.raw`{"password":"hunter2","a":1}`, '{"password":"***","a":1}'],
  ['eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM', 'eyJ***'],
  [
    String.raw`a\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\nb`,
    String.raw`a\n-----BEGIN OPENSSH PRIVATE KEY-----***\nb`,
  ],
  ['/nope/%73k_live_0123456789abcdef', '/nope/sk_live_***'],
  ['/nope/sk-ant-api03-%71qqqqqqqqqqq', '/nope/sk-***'],
  ['/nope/%2573k_live_0123456789abcdef', '/nope/sk_live_***'],
])('hides the secret in %j', (text, redacted) => {
  expect(redactSecrets(text)).toBe(redacted)
})

test.each([
  '/v1/projects/proj_01kq/units/unit_01kq',
  "give --catalog 'bigquery://bigquery.googleapis.com/p?token=<token>' (target dev)",
  'risk_assessment_of_customers and task_list',
  'expected a token without control characters',
  'https://example.com/a@b',
  'me@example.com, at 10:00',
  '{"requestId":"req_0mfx","key":"key_1","status":200}',
  '100 % of basic needs',
  '/a%20b/%C3%A9',
])('does not change %j', (text) => {
  expect(redactSecrets(text)).toBe(text)
})

const word = fc.stringMatching(/^[0-9A-Za-z]{30}$/)
const secret = fc.oneof(
  fc.tuple(fc.constantFrom('sk_live_', 'sk_', 'sk_test_', 'whsec_', 'sk-ant-', 'ghp_', 'hf_', 'AIza'), word),
  fc.tuple(fc.constantFrom('Bearer ', 'postgres://me:', 'password=', '?token='), word),
)

test('hides a secret completely, whatever surrounds it in a line of JSON', () => {
  const around = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '\n', '"', '/', 'a ', '\t', '\\'),
  )
  fc.assert(
    fc.property(around, secret, around, (before, [form, text], after) => {
      const value = form.includes('://') ? `${form}${text}@host` : `${form}${text}`
      const edge = /[0-9A-Za-z_]$/.test(before) ? ' ' : ''
      const line = JSON.stringify({ path: `${before}${edge}${value}"${after}`, [`k${value}`]: 1 })
      const redacted = redactSecrets(JSON.stringify({ path: `${before}${edge}${value}"${after}` }))
      expect(line).toContain(text)
      expect(redacted).not.toContain(text)
    }),
    { numRuns: 1000 },
  )
})

test('takes linear time', () => {
  for (const piece of ['sk_', 'a://', '%41', 'eyJaaaaaa.', '-----BEGIN ', 'bearer ', 'token=']) {
    expect(redactSecrets(piece.repeat(20_000)).length).toBeGreaterThan(0)
  }
})

test.each([
  [
    'the file md:db?motherduck_token=S3CRETPW is not there',
    'the file md:db?motherduck_token=*** is not there',
  ],
  ['got "/tmp/x?password=S3CRETPW&a=b"', 'got "/tmp/x?password=***&a=b"'],
  ['like postgres://user:password@host:5432/db', 'like postgres://user:password@host:5432/db'],
])('hides the secrets in parameters of %j', (text, redacted) => {
  expect(redactParameters(text)).toBe(redacted)
})

test('hides them in the messages of an answer, but not in its files', () => {
  const secret = 'md:db?motherduck_token=S3CRETPW'
  const answer = {
    warnings: [
      { code: 'TYPE_UNKNOWN', message: `of ${secret}` },
      { code: 'OTHER', message: 'fine' },
    ],
    files: [{ path: 'a.sql', content: `-- ${secret}` }],
    count: 1,
    at: null,
  }
  expect(redactMessages(answer)).toEqual({
    ...answer,
    warnings: [{ code: 'TYPE_UNKNOWN', message: 'of md:db?motherduck_token=***' }, answer.warnings[1]],
  })
  const clean = { warnings: [], files: [{ content: secret }] }
  expect(redactMessages(clean)).toBe(clean)
  expect(redactError({ code: 'X', details: { faults: [{ received: secret }] } })).toEqual({
    code: 'X',
    details: { faults: [{ received: 'md:db?motherduck_token=***' }] },
  })
})

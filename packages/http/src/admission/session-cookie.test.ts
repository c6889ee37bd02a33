import { expect, test } from 'vitest'
import { printSessionCookie, readSessionCookie } from './session-cookie.ts'

const COOKIE = { token: 'abc', maxAgeSeconds: 60 }

test.each(['stagecraft.example.com', 'localhost.example.com', '127.0.0.1.nip.io', '10.0.0.1', undefined])(
  'at %s the cookie is for this host and HTTPS only',
  (host) => {
    const printed = '__Host-stagecraft=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure'
    expect(printSessionCookie(COOKIE, host)).toBe(printed)
    expect(readSessionCookie('stagecraft=abc', host)).toBeUndefined()
    expect(readSessionCookie('a=b; __Host-stagecraft=abc', host)).toBe('abc')
  },
)

test.each(['localhost:8080', '127.0.0.1:8080', '127.1.2.3', '[::1]:8080', 'LOCALHOST'])(
  'at %s, this machine, the cookie allows HTTP',
  (host) => {
    expect(printSessionCookie(COOKIE, host)).toBe(
      'stagecraft=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
    )
    expect(readSessionCookie('stagecraft=abc', host)).toBe('abc')
    expect(readSessionCookie('stagecraft=abc; __Host-stagecraft=def', host)).toBe('def')
  },
)

test('no cookie, several cookies, an empty one or a long one is not a session', () => {
  for (const header of [
    undefined,
    '',
    'stagecraft=',
    'stagecraft=a; stagecraft=b',
    `stagecraft=${'a'.repeat(201)}`,
  ])
    expect(readSessionCookie(header, 'localhost')).toBeUndefined()
})

test('signing out deletes the cookie', () => {
  expect(printSessionCookie(null, 'localhost')).toContain('stagecraft=; Path=/; Max-Age=0;')
})

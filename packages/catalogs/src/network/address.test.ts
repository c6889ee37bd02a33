import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { parseAddress } from './address.ts'

const defaults = { engine: 'PostgreSQL', form: 'postgres://user:password@host:5432/database', port: 5432 }

test.each([
  ['postgres://me:s3cret@db.example.com:6543/raw', ['db.example.com', 6543, 'me', 'raw']],
  ['postgres://db.example.com/raw', ['db.example.com', 5432, undefined, 'raw']],
  ['postgres://me@[::1]/raw?sslmode=require', ['[::1]', 5432, 'me', 'raw']],
  ['postgres:///raw?host=/var/run/postgresql&user=me', ['/var/run/postgresql', 5432, 'me', 'raw']],
  ['postgres://m%40e:a%23b%2Fc%3Fd@h/d%20b', ['h', 5432, 'm@e', 'd b']],
  ['postgres://h', ['h', 5432, undefined, undefined]],
])('reads %s', (text, expected) => {
  const { database, host, port, user } = parseAddress(text, defaults)
  expect([host, port, user, database]).toEqual(expected)
})

test('recognizes the password in every spelling, and never shows it', () => {
  const address = parseAddress('postgres://me:can%40ry@h/d?password=0ther', defaults)
  expect(['x can@ry x', 'can%40ry', '0ther'].map((text) => address.holdsSecret(text))).toEqual([
    true,
    true,
    true,
  ])
  expect(address.holdsSecret('nothing to see')).toBe(false)
  expect(inspect(address, { showHidden: true })).not.toMatch(/can.*ry|0ther/)
})

test('has no password if there is none', () => {
  expect(parseAddress('postgres://me@h/d', defaults).holdsSecret('anything')).toBe(false)
})

test.each([
  'postgres://me:canary/word@h/d',
  'postgres://me:canary#word@h/d',
  'postgres://me:canary?word@h/d',
  'postgres://me:canary word@h:port/d',
  'postgres://me:canary%zz@h/d',
  'canary',
])('refuses an address with characters that have to be escaped, without repeating it: %s', (text) => {
  expect(() => parseAddress(text, defaults)).toThrow(
    'catalog: expected an address of PostgreSQL like postgres://user:password@host:5432/database; write %23 for #',
  )
  expect(() => parseAddress(text, defaults)).not.toThrow('canary')
})

test('returns path, password and options, and hides secret options', () => {
  const address = parseAddress('snowflake://me:pass%20word@acme/RAW/My%20Schema?token=can%2Fary&role=', {
    ...defaults,
    secrets: ['token'],
  })
  expect(address.path).toEqual(['RAW', 'My Schema'])
  expect(address.password()).toBe('pass word')
  expect([address.option('token'), address.option('role')]).toEqual(['can/ary', undefined])
  expect(address.holdsSecret('x can/ary x')).toBe(true)
  expect(inspect(address, { showHidden: true })).not.toMatch(/can.{0,3}ary|pass.{1,3}word/)
})

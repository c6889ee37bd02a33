import { crc32 as crc32OfNode } from 'node:zlib'
import { expect, test } from 'vitest'
import { checkKeyFormat, crc32, createKey } from './key-format.ts'

test('creates keys with and without an environment', () => {
  expect(createKey()).toMatch(/^sk_[0-9A-Za-z]{30}_[0-9A-Za-z]{6}$/)
  expect(createKey({ environment: 'live' })).toMatch(/^sk_live_[0-9A-Za-z]{30}_[0-9A-Za-z]{6}$/)
  expect(() => createKey({ environment: 'Live!' })).toThrow('lower-case letters and digits')
})

test('never creates a key twice', () => {
  expect(new Set(Array.from({ length: 1000 }, () => createKey())).size).toBe(1000)
})

test('detects every typo of one letter', () => {
  const key = createKey({ environment: 'live' })
  expect(checkKeyFormat(key)).toBe('valid')
  for (let at = 0; at < key.length; at++) {
    const typo = `${key.slice(0, at)}${key[at] === 'q' ? 'r' : 'q'}${key.slice(at + 1)}`
    expect(checkKeyFormat(typo)).not.toBe('valid')
  }
})

test('recognizes only its own keys', () => {
  expect(checkKeyFormat('ghp_abc')).toBe('foreign')
  expect(checkKeyFormat('')).toBe('foreign')
})

test('computes the checksum like zip', () => {
  for (const text of ['', 'a', '123456789', 'größe', createKey()]) expect(crc32(text)).toBe(crc32OfNode(text))
})

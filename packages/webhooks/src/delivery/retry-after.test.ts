import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = Date.UTC(1994, 10, 6, 8, 49, 7)

test.each([
  ['0', 0],
  ['120', 120_000],
  ['1.5', 1500],
  [' 7 ', 7000],
  ['1000000000', 3_600_000],
  ['9'.repeat(400), 3_600_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
  ['Sun Nov  6 08:49:37 1994', 30_000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['Fri, 31 Dec 2100 00:00:00 GMT', 3_600_000],
  ['', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['Infinity', undefined],
  ['soon 1', undefined],
  ['120, 240', undefined],
  ['1994-11-06T08:49:37Z', undefined],
  [undefined, undefined],
])('reads %j as %s', (header, pause) => {
  expect(readRetryAfter(header, { status: 429, now })).toBe(pause)
})

test('allows a longer wait for an outage', () => {
  expect(readRetryAfter('1000000000', { status: 503, now })).toBe(86_400_000)
})

import { expect, test } from 'vitest'
import { commitMessage, holdsTrailers } from './push-to-branch.ts'

const TRAILERS = { 'Stagecraft-Push': 'push_1', 'Change-Id': 'x' }

test('puts trailers into a paragraph of their own', () => {
  expect(commitMessage({ message: ' Models\r\n\r\nmore\n\n', trailers: TRAILERS })).toBe(
    'Models\n\nmore\n\nStagecraft-Push: push_1\nChange-Id: x\n',
  )
  expect(commitMessage({ message: 'Models' })).toBe('Models\n')
})

test('finds its trailers also where messages stand one after the other', () => {
  const ours = commitMessage({ message: 'Models', trailers: TRAILERS })
  expect(holdsTrailers(ours, TRAILERS)).toBe(true)
  expect(holdsTrailers(`${ours}Signed-off-by: x\n`, TRAILERS)).toBe(true)
  expect(holdsTrailers(`Squashed\n\n* ${ours}\n* more\n`, TRAILERS)).toBe(true)
  expect(holdsTrailers(ours, { 'Stagecraft-Push': 'push_2' })).toBe(false)
  expect(holdsTrailers(ours, { 'Stagecraft-Push': 'push' })).toBe(false)
  expect(holdsTrailers(ours, {})).toBe(false)
})

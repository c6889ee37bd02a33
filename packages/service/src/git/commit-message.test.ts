import { expect, test } from 'vitest'
import { commitMessage, hasTrailers } from './commit-message.ts'

const TRAILERS = { 'Stagecraft-Push': 'push_1', 'Change-Id': 'x' }

test('puts trailers into a paragraph of their own', () => {
  expect(commitMessage({ message: ' Models\r\n\r\nmore\n\n', trailers: TRAILERS })).toBe(
    'Models\n\nmore\n\nStagecraft-Push: push_1\nChange-Id: x\n',
  )
  expect(commitMessage({ message: 'Models' })).toBe('Models\n')
})

test('finds its trailers in the last paragraph of a commit, and there alone', () => {
  const commit = (message: string): string => `tree 1\nauthor x\n\n${message}`
  const ours = commitMessage({ message: 'Models', trailers: TRAILERS })
  expect(hasTrailers(commit(ours), TRAILERS)).toBe(true)
  expect(hasTrailers(commit(`${ours}Signed-off-by: x\n`), TRAILERS)).toBe(true)
  expect(hasTrailers(commit(ours), { 'Stagecraft-Push': 'push_2' })).toBe(false)
  expect(hasTrailers(commit(ours), {})).toBe(false)
  expect(hasTrailers(commit(`${ours}\nmore\n`), TRAILERS)).toBe(false)
})

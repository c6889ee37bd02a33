import { expect, test } from 'vitest'
import { decideEditing } from './settings.ts'

test('fills in what is not said', () => {
  expect(decideEditing()).toMatchObject({ onFailure: 'error', comments: false, columnsPerCall: 60 })
  expect(decideEditing({ columnsPerCall: 5 })).toMatchObject({ columnsPerCall: 5, maxOutputTokens: 8192 })
})

test.each([{ columnsPerCall: 0 }, { maxTokens: Number.NaN }, { deadlineSeconds: Infinity }])(
  'refuses %j, which is no limit',
  (editing) => {
    expect(() => decideEditing(editing)).toThrow(/^editing is not valid/)
  },
)

import { expect, test } from 'vitest'
import { decideLlm } from './settings.ts'

test('fills in defaults', () => {
  expect(decideLlm()).toMatchObject({ onFailure: 'error', comments: false, columnsPerCall: 60 })
  expect(decideLlm({ columnsPerCall: 5 })).toMatchObject({ columnsPerCall: 5, maxOutputTokens: 8192 })
})

test.each([{ columnsPerCall: 0 }, { maxTokens: Number.NaN }, { deadlineSeconds: Infinity }])(
  'refuses %j, which is not a limit',
  (llm) => {
    expect(() => decideLlm(llm)).toThrow(/^llm is not valid/)
  },
)

import { expect, test } from 'vitest'
import { StagecraftError } from './errors.ts'

const FAULT = { path: 'limit', expected: 'a number from 1', received: '0' }

test('writes the message of invalid input from its faults', () => {
  const messages = [
    StagecraftError.invalid(FAULT),
    StagecraftError.invalid([FAULT, { ...FAULT, path: '' }]),
    StagecraftError.invalid(FAULT, { subject: 'the request', suggestion: 'leave it out' }),
    StagecraftError.invalid({ ...FAULT, path: '' }, { subject: 'the body' }),
    StagecraftError.invalid([{ ...FAULT, line: 3 }, FAULT], { subject: 'stagecraft.yml' }),
  ].map(({ message }) => message)
  expect(messages).toEqual([
    'limit: expected a number from 1, got 0',
    'limit: expected a number from 1, got 0; expected a number from 1, got 0',
    'the request is not valid: limit: expected a number from 1, got 0; leave it out',
    'the body: expected a number from 1, got 0',
    'stagecraft.yml has 2 faults:\n  line 3, limit: expected a number from 1, got 0\n  limit: expected a number from 1, got 0',
  ])
})

test('keeps faults, suggestion and other details', () => {
  const error = StagecraftError.invalid(FAULT, { suggestion: 'leave it out', details: { reason: 'range' } })
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', name: 'StagecraftError' })
  expect(error.details).toEqual({ reason: 'range', faults: [FAULT], suggestion: 'leave it out' })
})

test('names the place of an unknown id, without control characters', () => {
  expect(StagecraftError.unknownId('unit', 'unit_1\n')).toMatchObject({
    code: 'NOT_FOUND',
    message: 'there is no unit unit_1',
    details: { faults: [{ path: 'unitId', received: '"unit_1"' }] },
  })
  expect(StagecraftError.unknownId('unit', 'x', 'unitIds.2').details?.faults?.[0]?.path).toBe('unitIds.2')
})

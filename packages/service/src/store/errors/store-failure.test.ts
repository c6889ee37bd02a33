import { StagecraftError } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { isConflict, isLostConnection } from './driver-error.ts'
import { storeFailure } from './store-failure.ts'

const thrown = (fields: object, message = 'canary') => Object.assign(new Error(message), fields)

test.each([
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'the disk is full'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 10 | (8 << 8) }, 'reading or writing its file failed'],
  [{ code: '28P01' }, 'rejects the user or the password'],
  [{ code: '08006' }, 'the server ended the connection'],
  [{ code: '57014' }, 'took longer than its limit'],
  [{ code: 'ENOSPC' }, 'the disk is full'],
  [{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'its certificate is not trusted'],
])('says in own words what %o is about', (fields, reason) => {
  const error = storeFailure(thrown(fields)) as StagecraftError
  expect(error).toBeInstanceOf(StagecraftError)
  expect(error.code).toBe('CONNECTION_FAILED')
  expect(error.message).toContain(reason)
  expect(error.message).not.toContain('canary')
})

test.each([[{ code: '42601' }], [{ code: '23505' }], [{ code: 'ERR_SQLITE_ERROR', errcode: 2067 }], [{}]])(
  'leaves %o as it is, which is about the statement',
  (fields) => {
    const error = thrown(fields)
    expect(storeFailure(error)).toBe(error)
  },
)

describe('a failure that may pass', () => {
  test('is known also when it was put into own words', () => {
    expect(isConflict(storeFailure(thrown({ code: '40P01' })))).toBe(true)
    expect(isLostConnection(storeFailure(thrown({ code: '57P01' })))).toBe(true)
    expect(isLostConnection(storeFailure(thrown({}, 'Connection terminated unexpectedly')))).toBe(true)
  })

  test('is not one of the statement or of an unreachable server', () => {
    expect(isConflict(thrown({ code: '23505' }))).toBe(false)
    expect(isLostConnection(storeFailure(thrown({ code: 'ECONNREFUSED' })))).toBe(false)
    expect(isLostConnection(undefined)).toBe(false)
  })
})

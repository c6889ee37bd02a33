import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { isFlag } from './flag.ts'

const { mysql, postgres } = DIALECTS

test.each(['is_active', 'active', 'email_verified', 'deleted', 'has_children', 'vip_flag', 'isOpen'])(
  'tinyint(1) is a boolean in %s',
  (name) => {
    expect(isFlag({ name, type: 'tinyint(1)' }, mysql)).toBe(true)
  },
)

test.each(['rating', 'status', 'level', 'speed', 'feed', 'need', 'bed', 'is', 'type', 'x'])(
  'tinyint(1) is a number in %s',
  (name) => {
    expect(isFlag({ name, type: 'tinyint(1)' }, mysql)).toBe(false)
  },
)

test('a list of values goes before the name', () => {
  expect(isFlag({ name: 'level', type: 'TINYINT(1)', values: [0, 1] }, mysql)).toBe(true)
  expect(isFlag({ name: 'is_open', type: 'tinyint(1)', values: [0, 1, 2] }, mysql)).toBe(false)
})

test('other types say themselves what they are', () => {
  expect(isFlag({ name: 'is_open', type: 'tinyint(4)' }, mysql)).toBe(false)
  expect(isFlag({ name: 'is_open', type: 'smallint' }, postgres)).toBe(false)
})

import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { joinKey } from './conversions.ts'

test('joins parts as text, with a separator that numbers do not contain', () => {
  const parts = [
    { sql: 'order_id', isText: false },
    { sql: 'line', isText: false },
  ]
  expect(joinKey(parts, DIALECTS.postgres)).toBe("cast(order_id as text) || '|' || cast(line as text)")
  expect(joinKey(parts, DIALECTS.sqlserver)).toBe(
    "concat(concat(cast(order_id as nvarchar(4000)), '|'), cast(line as nvarchar(4000)))",
  )
})

test('adds the length of texts, so that none can blend with the next', () => {
  const parts = [
    { sql: 'a', isText: true },
    { sql: 'b', isText: true },
  ]
  expect(joinKey(parts, DIALECTS.postgres)).toBe("cast(length(a) as text) || '|' || a || '|' || b")
})

test('leaves a single text unchanged', () => {
  const parts = [
    { sql: 'a', isText: true },
    { sql: 'n', isText: false },
  ]
  expect(joinKey(parts, DIALECTS.postgres)).toBe("a || '|' || cast(n as text)")
})

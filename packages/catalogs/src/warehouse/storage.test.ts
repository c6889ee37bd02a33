import { expect, test } from 'vitest'
import { readStorageList } from './storage.ts'

test.each([
  ['', []],
  ['tuple()', []],
  ['LINEAR(CREATED, to_date("At"))', ['CREATED', 'to_date("At")']],
  ['(REGION, "Day")', ['REGION', 'Day']],
  ['RANGE (created_at)', ['created_at']],
  ['LIST ((lower(a)), b)', ['(lower(a))', 'b']],
  ['toYYYYMM(at)', ['toYYYYMM(at)']],
  ['(toYYYYMM(at), kind)', ['toYYYYMM(at)', 'kind']],
  ['id, cityHash64(a, b)', ['id', 'cityHash64(a, b)']],
  ['(a) + (b)', ['(a) + (b)']],
  ['RANGE_BUCKET(id, GENERATE_ARRAY(0, 100, 10))', ['RANGE_BUCKET(id, GENERATE_ARRAY(0, 100, 10))']],
  ['DATE(_PARTITIONTIME)', ['DATE(_PARTITIONTIME)']],
])('reads %s as a list', (text, list) => {
  expect(readStorageList(text)).toEqual(list)
})

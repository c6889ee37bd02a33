import { isDeepStrictEqual } from 'node:util'
import type { Change } from './change.ts'
import { offsetOf, removeFromList, withoutComments } from './edit-columns.ts'
import { entryAt, itemsAt, pathOfColumn, pathOfOwner } from './find-owner.ts'
import { insertItem } from './insert-item.ts'
import { Kept, Refusal } from './refusal.ts'
import { isRival, isSameTest, readTest, type TestIdentity } from './same-test.ts'
import { setPair } from './set-pair.ts'
import type { AddTests, RemoveTests, YamlOwner, YamlValue } from './yaml-edit.ts'
import type { YamlFile, YamlPath } from './yaml-file.ts'

const KEYS = ['data_tests', 'tests'] as const

/** Adds the first missing test; undefined if all exist. */
export function addNextTest(
  file: YamlFile,
  { column, key = 'data_tests', owner, tests }: AddTests,
): Change | undefined {
  const place = placeOf(file, owner, column)
  const entry = entryAt(file.data, place)
  const present = KEYS.find((name) => entry[name] !== undefined) ?? key
  const list = [...place, present]
  const known = itemsAt(file.data, list).map(readTest)
  const missing = tests.find((test) => isMissing(test, known))
  if (missing === undefined) {
    const rival = tests
      .map(readTest)
      .find((test) => test && known.every((other) => !other || !isSameTest(test, other)))
    if (rival)
      throw new Kept(
        `the arguments of the test ${rival.name} were changed by hand; it is kept`,
        offsetOf(file, list),
      )
    return undefined
  }
  const count = itemsAt(file.data, list).length
  if (count > 0) return insertItem(file, list, { index: count, value: missing })
  return setPair(file, place, {
    key: present,
    value: [missing],
    ...(column === undefined && { after: BEFORE_TESTS }),
  })
}

/** The keys before the tests of a table; tests come before its columns. */
const BEFORE_TESTS = [
  'name',
  'description',
  'config',
  'meta',
  'identifier',
  'latest_version',
  'freshness',
  'loaded_at_field',
]

function isMissing(test: YamlValue, known: readonly (TestIdentity | undefined)[]): boolean {
  const identity = readTest(test)
  if (!identity) throw new Refusal(`${JSON.stringify(test)} is not a valid dbt test`, 0)
  return known.every((other) => !other || !(isSameTest(identity, other) || isRival(identity, other)))
}

/** Removes the first unchanged test; undefined if there is none, as of a column that is gone. */
export function removeNextTest(file: YamlFile, { column, owner, tests }: RemoveTests): Change | undefined {
  const path = pathOfOwner(file, owner)
  const place = column === undefined ? path : pathOfColumn(file, path, column)
  if (!place) return undefined
  for (const key of KEYS) {
    const list = [...place, key]
    const index = itemsAt(file.data, list).findIndex((item) =>
      tests.some((test) => isDeepStrictEqual(item, test)),
    )
    if (index !== -1) return withoutComments(file, removeFromList(file, [...list, index]), list)
  }
  return undefined
}

function placeOf(file: YamlFile, owner: YamlOwner, column: string | undefined): YamlPath {
  const path = pathOfOwner(file, owner)
  const place = column === undefined ? path : pathOfColumn(file, path, column)
  if (place) return place
  throw new Refusal(`there is no column ${column} in it`, offsetOf(file, path))
}

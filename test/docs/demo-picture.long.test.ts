// The picture of the README shows a real run of the demo: UPDATE_GOLDEN=1 draws it again.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { drawTerminal, recordDemo, withoutTimes } from './demo-picture.ts'

test('the picture of the demo shows what the demo prints', () => {
  const file = repositoryPath('docs/demo.svg')
  const drawn = drawTerminal(recordDemo())
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, drawn)
  expect(withoutTimes(readFileSync(file, 'utf8'))).toBe(withoutTimes(drawn))
})

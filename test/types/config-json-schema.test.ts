import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { configJsonSchema } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

const FILE = repositoryPath('packages/cli/stagecraft.schema.json')

test('the schema in the package is made from the one that checks', () => {
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeFileSync(FILE, JSON.stringify(configJsonSchema()))
    execFileSync(repositoryPath('node_modules/.bin/oxfmt'), [FILE])
  }
  const advice = 'packages/cli/stagecraft.schema.json is not what the schema says: UPDATE_GOLDEN=1 writes it'
  expect(JSON.parse(readFileSync(FILE, 'utf8')), advice).toEqual(configJsonSchema())
})

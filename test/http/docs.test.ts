import { readFileSync } from 'node:fs'
import { STATUS_CODES } from '@stagecraft/http'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

test('docs/reference/http.md lists every error code with its status', () => {
  const text = readFileSync(repositoryPath('docs/reference/http.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` +\| (\d+) /gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  expect(Object.fromEntries(rows)).toEqual(STATUS_CODES)
})

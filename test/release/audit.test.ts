import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands, expired, readAllowed } from '../../release/audit.ts'
import { repositoryPath } from '../paths.ts'

const LIST = `
- { id: GHSA-aaaa-bbbb-cccc, until: 2027-01-31, reason: only build scripts parse such files }
- { id: PYSEC-2027-1, until: 2027-02-28, reason: a server's part that no client calls }
`

test('passes over what is allowed, in both languages', () => {
  const [npm, python] = commands(readAllowed(LIST), ['--registry', 'http://127.0.0.1:1/'])
  expect(npm?.slice(-4)).toEqual(['--ignore', 'GHSA-aaaa-bbbb-cccc', '--registry', 'http://127.0.0.1:1/'])
  const last = '--ignore-vuln GHSA-aaaa-bbbb-cccc --ignore-vuln PYSEC-2027-1 clients/python'
  expect(python?.slice(-5)).toEqual(last.split(' '))
})

test('ends what is allowed on the day after its date', () => {
  const allowed = readAllowed(LIST)
  expect(expired(allowed, '2027-01-31')).toEqual([])
  expect(expired(allowed, '2027-02-01').map(({ id }) => id)).toEqual(['GHSA-aaaa-bbbb-cccc'])
})

test.each([
  ['an id of no database', '- { id: left-pad, until: 2027-01-31, reason: nobody calls it at all }'],
  ['no date', '- { id: GHSA-aaaa-bbbb-cccc, reason: nobody calls it at all }'],
  ['no reason', "- { id: GHSA-aaaa-bbbb-cccc, until: 2027-01-31, reason: '' }"],
])('refuses %s', (_, text) => {
  expect(() => readAllowed(text)).toThrow()
})

test('reads the list of the repository', () => {
  const text = readFileSync(repositoryPath('release/audit-allowed.yml'), 'utf8')
  expect(Array.isArray(readAllowed(text))).toBe(true)
})

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MENTIONS, readVersion, withVersion } from '../../release/version.ts'
import { repositoryPath } from '../paths.ts'

const read = (path: string): string => readFileSync(repositoryPath(path), 'utf8')

test('is one for all packages', () => {
  const manifests = globSync('{packages/*,templates}/package.json', { cwd: repositoryPath('') })
  const versions = manifests.map((path) => (JSON.parse(read(path)) as { readonly version: string }).version)
  expect(manifests.length).toBeGreaterThan(10)
  expect(new Set(versions)).toEqual(new Set([readVersion()]))
})

test.each(Object.entries(MENTIONS))('is the same in %s', (path, pattern) => {
  expect(new Set(read(path).match(pattern))).toEqual(new Set([readVersion()]))
})

test('is raised where it stands, and nothing else is', () => {
  const raised = withVersion(read('clients/python/pyproject.toml'), /(?<=^version = ")[\d.]+/m, '9.8.7')
  expect(raised).toContain('version = "9.8.7"')
  expect(raised.replace('9.8.7', readVersion())).toBe(read('clients/python/pyproject.toml'))
  expect(() => withVersion('no number', /\d+/, '9.8.7')).toThrow('expected a version')
})

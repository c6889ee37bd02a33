import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'stagecraft-own-path-')))
afterAll(() => rmSync(root, { recursive: true }))

const repository = join(root, 'repository')
const folder = join(repository, 'dbt')
mkdirSync(join(repository, '.git'), { recursive: true })
mkdirSync(join(folder, 'templates'), { recursive: true })
mkdirSync(join(root, 'outside'))
writeFileSync(join(root, 'outside', 'secret'), 'hunter2')
symlinkSync(join(root, 'outside', 'secret'), join(folder, 'templates', 'link.njk'))
symlinkSync(join(root, 'outside'), join(folder, 'linked'))
symlinkSync(join(root, 'outside', 'gone'), join(folder, 'dangling'))

function find(path: string, environment: Readonly<Record<string, string>> = {}): string {
  return ownPath(path, { name: 'templates.staging.sql', folder, environment })
}

test.each([
  'templates/staging.njk',
  '../shared/staging.njk',
  'x/../templates/not-there',
  '..',
  '...',
  '..x/y',
])('a file may be at %s, inside of the repository', (path) => expect(find(path)).toBe(join(folder, path)))

test.each([
  '../../outside/secret',
  '/etc/passwd',
  'templates/link.njk',
  'linked/secret',
  'linked/not-there/yet',
  '../..',
])('a file may not be at %s', (path) => {
  expect(() => find(path)).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(
        `templates.staging.sql: expected a path inside of ${repository}, got ${path}`,
      ),
    }),
  )
})

test('says where a link leads, and how to allow it', () => {
  const target = join(root, 'outside', 'secret')
  expect(() => find('templates/link.njk')).toThrow(
    `which leads to ${target}; move it there, or allow its folder: STAGECRAFT_CONFIG_FOLDERS=${join(root, 'outside')}`,
  )
})

test('the user allows other folders, and nothing beside them', () => {
  const environment = { STAGECRAFT_CONFIG_FOLDERS: `/nowhere:${join(root, 'outside')}` }
  expect(find('templates/link.njk', environment)).toBe(join(folder, 'templates/link.njk'))
  expect(find(join(root, 'outside', 'new', 'one'), environment)).toBe(join(root, 'outside', 'new', 'one'))
  expect(() => find(join(root, 'outside-too'), environment)).toThrow('expected a path inside of')
})

test('without version control the folder of the configuration is all', () => {
  const alone = join(root, 'alone')
  mkdirSync(alone)
  const options = { name: 'backend.cassettes', folder: alone, environment: {} }
  expect(ownPath('recordings', options)).toBe(join(alone, 'recordings'))
  expect(() => ownPath('../recordings', options)).toThrow('backend.cassettes: expected a path inside of')
})

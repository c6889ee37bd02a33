import { expect, test } from 'vitest'
import { foldersOf, pathProblem } from './file-path.ts'

test.each([
  'a.sql',
  'models/staging/stripe/stg_stripe__payments.sql',
  '.gitignore',
  '.github/workflows/x.yml',
  'a/.gitattributes',
  'git/config',
  'a.git/x',
  'mit leer/ü.sql',
  '-x',
  '"quoted"',
  'ab:c',
  '...',
])('takes %s', (path) => {
  expect(pathProblem(path)).toBeUndefined()
})

test.each([
  ['', '1 to 1024 bytes'],
  ['/etc/passwd', 'a path relative to the repository'],
  ['C:/x', 'a path relative to the repository'],
  ['a\\b', 'a path with / between its parts, without control characters and \\'],
  ['a\nb', 'a path with / between its parts, without control characters and \\'],
  ['a\0b', 'a path with / between its parts, without control characters and \\'],
  ['\uD800', 'text that can be written as UTF-8'],
  ['..', 'a path without empty parts, . and ..'],
  ['a/../b', 'a path without empty parts, . and ..'],
  ['./a', 'a path without empty parts, . and ..'],
  ['a//b', 'a path without empty parts, . and ..'],
  ['a/', 'a path without empty parts, . and ..'],
])('refuses %j: expected %s', (path, expected) => {
  expect(pathProblem(path)).toBe(expected)
})

test.each([
  '.git',
  '.git/hooks/post-checkout',
  'a/.git/config',
  '.GIT/config',
  '.gIt',
  '.git./x',
  '.git /x',
  '.git . ./x',
  '.git::$INDEX_ALLOCATION/x',
  '.git:x',
  'git~1/config',
  'GIT~2',
  '.g\u200Cit/config',
  '\uFEFF.git',
  '.git\u206F/x',
])('refuses %j, which some file system takes for .git', (path) => {
  expect(pathProblem(path)).toBe('a path without .git')
})

test('knows the folders on the way to a file', () => {
  expect(foldersOf('a/b/c.sql')).toEqual(['a', 'a/b'])
  expect(foldersOf('c.sql')).toEqual([])
})

test('refuses what is too long for file systems', () => {
  expect(pathProblem('x/'.repeat(512) + 'x')).toBe('1 to 1024 bytes')
  expect(pathProblem('x'.repeat(256))).toBe('parts of 255 bytes at most')
})

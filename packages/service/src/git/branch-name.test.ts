import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { branchProblem } from './branch-name.ts'

test.each([
  'main',
  'stagecraft',
  'feature/x-1',
  'a.b',
  'ünï',
  'a@b',
  '@a',
  'a{',
  'head',
  'x/HEAD',
  'a/-b',
  'lock',
  'a.lock.b',
  '💥',
])('takes %s', (name) => {
  expect(branchProblem(name)).toBeUndefined()
})

test.each([
  ['', '1 to 200 bytes'],
  ['-x', 'a name that does not begin with -'],
  ['--force', 'a name that does not begin with -'],
  ['refs/heads/x', 'the name alone, without refs/heads/'],
  ['HEAD', 'the name of a branch'],
  ['@', 'the name of a branch'],
  ['/x', 'a name that neither begins nor ends with . or /'],
  ['x/', 'a name that neither begins nor ends with . or /'],
  ['x.', 'a name that neither begins nor ends with . or /'],
  ['.x', 'a name that neither begins nor ends with . or /'],
  ['\uD800', 'text that can be written as UTF-8'],
])('refuses %j: expected %s', (name, expected) => {
  expect(branchProblem(name)).toBe(expected)
})

test.each([
  'a b',
  'a..b',
  'a~1',
  'a^',
  'a:b',
  '+a:b',
  'a?',
  'a*',
  'a[',
  'a\\b',
  'a//b',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a@{1}',
  'a\nb',
  'a\0b',
  'a\u007Fb',
])('refuses %j', (name) => {
  expect(branchProblem(name)).toContain('a name without spaces')
})

test('refuses what is too long', () => {
  expect(branchProblem('x'.repeat(201))).toBe('1 to 200 bytes')
})

test('takes nothing that git does not', () => {
  const part = fc.constantFrom(
    'a',
    'B',
    '.',
    '/',
    '@',
    '{',
    '-',
    '~',
    '.lock',
    'ü',
    '^',
    ' ',
    '\\',
    '*',
    '\u0001',
    '[',
    'HEAD',
  )
  const name = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
  const taken = fc.sample(name, 2000).filter((name) => branchProblem(name) === undefined)
  expect(taken.length).toBeGreaterThan(50)
  const wrong = [...new Set(taken)]
    .slice(0, 150)
    .filter((name) => spawnSync('git', ['check-ref-format', '--branch', name]).status !== 0)
  expect(wrong).toEqual([])
})

import { expect, test } from 'vitest'
import type { GenerateFlags } from './generate.ts'
import { assertServerFlags } from './server-flags.ts'

const FLAGS: GenerateFlags = { type: 'staging', tests: true, docs: true }

test.each<readonly [Partial<GenerateFlags>, readonly string[], string]>([
  [{ catalog: 'x.yml', preset: 'fivetran' }, ['a.b'], '--catalog, --preset: not with --server'],
  [{ config: 'x.yml' }, ['a.b'], '--config: not with --server'],
  [{ backend: 'anthropic', model: 'x' }, ['a.b'], '--backend, --model: not with --server'],
  [{ backend: false }, ['a.b'], '--no-backend: not with --server'],
  [{ all: true }, [], '--all: not with --server'],
  [{}, ['a.b', 'a.*'], '--server: expected names of tables'],
  [{}, [], '--server: expected names of tables'],
  [{}, ['a.b', 'a.c'], '--server: expected one source, or --json without --out'],
  [{ json: true, out: '.' }, ['a.b', 'a.c'], '--server: expected one source, or --json without --out'],
])('refuses %j for %j', (flags, sources, message) => {
  expect(() => assertServerFlags(sources, { ...FLAGS, ...flags })).toThrow(message)
})

test.each<readonly [Partial<GenerateFlags>, readonly string[]]>([
  [{ out: '.', json: true }, ['a.b']],
  [{ json: true }, ['a.b', 'a.c']],
])('takes %j for %j', (flags, sources) => {
  expect(() => assertServerFlags(sources, { ...FLAGS, ...flags })).not.toThrow()
})

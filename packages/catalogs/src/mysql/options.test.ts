import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test, vi } from 'vitest'
import { mysql } from './index.ts'
import { assertOptions } from './options.ts'

test.each([
  ['mysql://h/d?ssl-mode=REQUIRED', 'got ssl-mode; write ssl={"rejectUnauthorized":true}'],
  ['mysql://h/d?serverTimezone=UTC', 'got serverTimezone; write timezone=Z'],
  ['mysql://h/d?database=other', 'got database; write the database after the host'],
  [
    'mysql://h/d?charset=utf8mb4&useUnicode=yes',
    'got useUnicode; leave it out, or write one of bigNumberStrings',
  ],
  ['mysql://h/d?half%20of%20a%20canary', 'got another name'],
  ['mysql://h/d?ssl={}&debug=true', 'debug: expected an address without debug'],
])('refuses %s before the driver prints the name', async (text, message) => {
  const printed = vi.spyOn(console, 'error')
  const error: unknown = await mysql({ connectionString: text }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(message) as string,
  })
  expect(String(error)).not.toContain('canary')
  expect(printed).not.toHaveBeenCalled()
})

test('accepts the options of mysql2', () => {
  const source = readFileSync(
    createRequire(import.meta.url)
      .resolve('mysql2')
      .replace(/[^/\\]+$/, 'lib/connection_config.js'),
    'utf8',
  )
  const known = [...(/validOptions = \{([^}]*)\}/.exec(source)?.[1] ?? '').matchAll(/(\w+): 1/g)].map(
    ([, name = '']) => name,
  )
  const isRefused = (name: string): boolean => {
    try {
      assertOptions(`mysql://h/d?${name}=1`)
      return false
    } catch {
      return true
    }
  }
  expect(known.filter(isRefused)).toEqual([
    // objects and functions, which no text can be, and what stands elsewhere in an address
    'authPlugins',
    'authSwitchHandler',
    'connectAttributes',
    'database',
    'debug',
    'infileStreamFactory',
    'isServer',
    'namedPlaceholders',
    'nestTables',
    'pool',
    'queryFormat',
    'rowsAsArray',
    'stream',
    'typeCast',
    'uri',
    'Promise',
  ])
})

import { expect, test } from 'vitest'
import { loadDriver } from './load-driver.ts'

test('names the package to install, and how', async () => {
  const missing = 'no-such-driver'
  await expect(loadDriver('pg', () => import(missing))).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'this catalog needs the package pg, which cannot be loaded; run: npm install pg',
    details: { suggestion: 'npm install pg' },
  })
})

test('returns what it loads', async () => {
  expect(await loadDriver('pg', async () => 'driver')).toBe('driver')
})

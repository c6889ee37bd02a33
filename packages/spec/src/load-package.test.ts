import { expect, test } from 'vitest'
import { loadPackage } from './load-package.ts'

test('names the package to install, and how', async () => {
  const missing = 'no-such-driver'
  await expect(
    loadPackage({ packageName: 'pg', neededBy: 'this catalog', load: () => import(missing) }),
  ).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'this catalog needs the package pg, which cannot be loaded; run: npm install pg',
    details: { suggestion: 'npm install pg' },
  })
})

test('returns what it loads', async () => {
  expect(await loadPackage({ packageName: 'pg', neededBy: 'this catalog', load: async () => 'driver' })).toBe(
    'driver',
  )
})

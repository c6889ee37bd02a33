// The budget of the pages, in bytes as they travel.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openDashboard } from '@stagecraft/dashboard'
import { repositoryPath } from '../paths.ts'

test('all code is at most 60 kB compressed, that of the overview 33.5 kB and of the sign-in 35 kB, and styles 10 kB', async () => {
  const files = await openDashboard().files()
  const page = readFileSync(repositoryPath('packages/dashboard/dist/app/index.html'), 'utf8')
  const sizeOf = (wanted: (path: string) => boolean): number =>
    [...files]
      .filter(([path]) => wanted(path))
      .reduce((sum, [, { bytes, gzip = bytes }]) => sum + gzip.byteLength, 0)
  const isCode = (path: string): boolean => path.endsWith('.js')
  expect(sizeOf(isCode)).toBeLessThan(60_000)
  const sizeWith = (more: RegExp): number =>
    sizeOf((path) => isCode(path) && (page.includes(path) || more.test(path)))
  expect(sizeWith(/overview|operations/)).toBeLessThan(33_500)
  expect(sizeWith(/sign-in/)).toBeLessThan(35_000)
  expect(sizeOf((path) => path.endsWith('.css'))).toBeLessThan(10_000)
  expect(page).not.toMatch(/<script>|<script [^>]*>[^<]|style=|<style/)
}, 120_000)

// The link that the first start on a machine prints, and the flag that leaves the pages out.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeWithBrowser, launchBrowser } from '../browser.ts'
import { startServe } from '../cli/start-serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-first-sign-in-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

describeWithBrowser('the first start', () => {
  test('prints a link that signs in once, and leaves nothing of its code in the address', async () => {
    const { stdout } = await startServe(['--data', join(folder, 'with')], { DATABASE_URL: '' })
    await expect.poll(stdout).toMatch(/^Dashboard \S+\/app\/sign-in#code=\S+$/m)
    const link = /Dashboard (\S+)/.exec(stdout())?.[1] ?? ''
    const browser = await launchBrowser()
    try {
      const page = await (await browser.newContext()).newPage()
      await page.goto(link)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      expect(page.url()).not.toContain('code')
      const other = await (await browser.newContext()).newPage()
      await other.goto(link)
      await expect.poll(() => other.textContent('body')).toContain('The link was already used or has expired')
      await other.getByLabel('API key').waitFor()
      expect(other.url()).not.toContain('code')
    } finally {
      await browser.close()
    }
  })
})

test('without the dashboard there is neither link nor page', async () => {
  const { stdout, url } = await startServe(['--data', join(folder, 'without'), '--no-dashboard'], {
    DATABASE_URL: '',
  })
  expect((await fetch(`${url}/app/`, { headers: { accept: 'text/html' } })).status).toBe(404)
  expect(stdout()).not.toContain('Dashboard')
})

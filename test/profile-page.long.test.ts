// The page of `profile --format html`, in a browser: light and dark, without a fault that axe finds.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser, launchBrowser } from './browser.ts'
import { runCli } from './cli/run-cli.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
interface AxeResults {
  readonly violations: readonly { readonly id: string }[]
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-profile-'))
const file = join(folder, 'profile.html')

const MARKUP = '<img src=x onerror=alert(1)>'

describeWithBrowser('the page of a profile', () => {
  let browser: Browser | undefined

  beforeAll(async () => {
    const path = join(folder, 'shop.db')
    const database = new DatabaseSync(path)
    database.exec(`create table customers (id integer, "${MARKUP}" text, email text);
      create table orders (id integer, customer_id integer, status text);`)
    for (let at = 1; at <= 120; at += 1) {
      database.exec(`insert into customers values (${at}, '${MARKUP}${at % 3}', 'secret${at}@example.com');
        insert into orders values (${at}, ${(at % 60) + 1}, '${at % 2 ? 'open' : 'paid'}');`)
    }
    database.close()
    const made = await runCli([
      'profile',
      '--catalog',
      `sqlite:${path}`,
      '--format',
      'html',
      '--output',
      file,
    ])
    if (made.code !== 0) throw new Error(made.stderr)
    browser = await launchBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })

  test.each(['light', 'dark'] as const)('shows tables, values and references, %s', async (colorScheme) => {
    if (!browser) throw new Error('there is no browser')
    const page = await browser.newPage({ colorScheme, viewport: { width: 360, height: 700 } })
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('dialog', (dialog) => said.push(dialog.message()))
    page.on('request', (request) => said.push(...(request.url().startsWith('file:') ? [] : [request.url()])))
    await page.goto(pathToFileURL(file).href)
    const text = (await page.textContent('main')) ?? ''
    expect(text).toContain(MARKUP)
    expect(text).toContain('references: customers.id')
    expect(text).toContain('open')
    expect(text).not.toContain('secret1@')
    expect(await page.locator('svg a').count()).toBe(2)
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await page.close()
    const audit = await browser.newPage({ colorScheme, bypassCSP: true })
    await audit.goto(pathToFileURL(file).href)
    await audit.evaluate(AXE)
    const { violations } = await audit.evaluate<AxeResults>('axe.run()')
    expect(violations.map(({ id }) => id)).toEqual([])
    await audit.close()
    expect(said).toEqual([])
  })
})

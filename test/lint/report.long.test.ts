import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chooseRules, findRule, lint, modelLineage, printReport } from '@stagecraft/analysis'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser, launchBrowser } from '../browser.ts'
import { readFilesAsProject } from './lint-project.ts'
import { REPORT_FILES } from './report-files.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
  readonly passes: readonly unknown[]
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-report-'))
const file = join(folder, 'report.html')

async function page(): Promise<string> {
  const project = await readFilesAsProject(REPORT_FILES)
  const report = lint(project, { rules: chooseRules(), findRule })
  return printReport(report, 'html', {
    version: '1.2.3',
    title: '<script>alert(1)</script> & shop',
    lineage: modelLineage(project),
    history: [
      { label: '"><img src=x>', score: 61, error: 9, warning: 20, info: 3 },
      { label: '2026-02', score: 74, error: 5, warning: 12, info: 1 },
    ],
  })
}

function openAll(opened: Page): Promise<unknown> {
  return opened.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
}

describeWithBrowser('the page in a browser', () => {
  let browser: Browser | undefined

  beforeAll(async () => {
    writeFileSync(file, await page())
    browser = await launchBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })

  /** Opens the page, and fails on anything that it says, asks for or opens. */
  async function open(
    use: (page: Page) => Promise<void>,
    { scheme = 'light', width = 1180 }: { readonly scheme?: 'light' | 'dark'; readonly width?: number } = {},
  ): Promise<void> {
    if (!browser) throw new Error('the browser did not start')
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 800 } })
    const opened = await context.newPage()
    const seen: string[] = []
    opened.on('console', (message) => seen.push(message.text()))
    opened.on('pageerror', (error) => seen.push(error.message))
    opened.on('dialog', (dialog) => {
      seen.push(dialog.message())
      void dialog.dismiss()
    })
    opened.on('request', (request) => {
      if (!request.url().startsWith(pathToFileURL(file).href)) seen.push(request.url())
    })
    await opened.goto(pathToFileURL(file).href)
    await use(opened)
    await context.close()
    expect(seen).toEqual([])
  }

  test.each(['light', 'dark'] as const)('has no violation of accessibility in %s', async (scheme) => {
    await open(
      async (opened) => {
        await opened.evaluate(AXE)
        const closed = await opened.evaluate<AxeResults>("axe.run({ runOnly: ['wcag22aa'] })")
        expect(closed.violations.map(({ id }) => id)).toEqual([])
        await openAll(opened)
        const results = await opened.evaluate<AxeResults>(
          "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
        )
        expect(
          results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
        ).toEqual([])
        expect(results.passes.length).toBeGreaterThan(20)
      },
      { scheme },
    )
  })

  test('shows names and SQL as text', async () => {
    await open(async (opened) => {
      expect(await opened.title()).toBe('<script>alert(1)</script> & shop: findings')
      const titles = await opened.locator('details.file > summary').allTextContents()
      expect(titles.join('\n')).toContain(`models/marts/fct_<b>"bold'&amp;.sql`)
      expect(await opened.locator('article pre mark').allTextContents()).toContain(
        `ref('<script>alert("x")</script>')`,
      )
      expect(await opened.locator('b, img, i, script').count()).toBe(1)
    })
  })

  test('the findings are filtered by text, group and severity, without a mouse', async () => {
    await open(async (opened) => {
      const shown = (): Promise<number> => opened.locator('article:visible').count()
      await openAll(opened)
      const all = await shown()
      await opened.getByRole('searchbox', { name: 'Find' }).focus()
      await opened.keyboard.type('everything')
      expect(await shown()).toBe(1)
      await opened.keyboard.press('Control+A')
      await opened.keyboard.press('Delete')
      await opened.keyboard.press('Tab')
      await opened.keyboard.type('graph')
      const ofGraph = await shown()
      expect(ofGraph).toBeGreaterThan(0)
      expect(ofGraph).toBeLessThan(all)
      await opened.keyboard.press('Tab')
      await opened.keyboard.press('Tab')
      await opened.keyboard.press('Space')
      expect(await opened.getByRole('status').textContent()).toBe('1 finding shown')
    })
  })

  test('a box of the graph leads to the findings of its file', async () => {
    await open(async (opened) => {
      await opened.getByRole('link', { name: 'model fct_orders, worst finding: error' }).focus()
      await opened.keyboard.press('Enter')
      const target = opened.locator('details.file:target')
      expect(await target.locator('summary').textContent()).toContain('models/marts/fct_orders.sql')
      expect(await target.getAttribute('open')).not.toBeNull()
    })
  })

  test('fits a narrow window', async () => {
    await open(
      async (opened) => {
        const width = await opened.evaluate('document.documentElement.scrollWidth')
        expect(width).toBeLessThanOrEqual(360)
      },
      { width: 360 },
    )
  })
})

test('the same project makes the same page', async () => {
  expect(await page()).toBe(await page())
})

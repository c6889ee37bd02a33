import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const ALL = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] }
/** Nothing is collected of what passes, and no styles are fetched. */
const ONLY = { resultTypes: ['violations'], preload: false }
/** The one rule whose outcome depends on the colours. */
const COLOURS = { runOnly: { type: 'rule', values: ['color-contrast'] } }

interface Outcome {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/**
 * Returns the rules of accessibility that a page breaks, with the element: in light, and its colours in dark; and whether
 * it scrolls sideways on a phone.
 */
export async function auditPage(page: Page): Promise<readonly string[]> {
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(AXE)
  const broken: string[] = []
  for (const [colorScheme, rules] of [
    ['light', ALL],
    ['dark', COLOURS],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await page.evaluate<Outcome>(`axe.run(${JSON.stringify({ ...rules, ...ONLY })})`)
    broken.push(...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`))
  }
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width: 360, height: 740 })
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (width !== 360) broken.push(`on a phone it is ${width} pixels wide`)
  await page.setViewportSize(size)
  return broken
}

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Returns what a button copies. All windows share one clipboard, so the button is clicked again until a text with a part
 * that only this window has is there.
 */
export async function copied(page: Page, button: string, part: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  let text = ''
  const copy = async (): Promise<string> => {
    await page.getByRole('button', { name: button }).click()
    return (text = await page.evaluate<string>('navigator.clipboard.readText()'))
  }
  await expect.poll(copy).toContain(part)
  return text
}

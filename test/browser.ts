import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { beforeAll, describe } from 'vitest'

const PROGRAM = process.env['STAGECRAFT_TEST_BROWSER'] ?? '/usr/bin/chromium'

/** Groups tests that need a browser. Without it they are skipped, and fail where STAGECRAFT_REQUIRE_ALL is set. */
export function describeWithBrowser(name: string, body: () => void): void {
  const isInstalled = existsSync(PROGRAM)
  const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])
  const needs = 'chromium, at the path in STAGECRAFT_TEST_BROWSER'
  describe.skipIf(!isInstalled && !isRequired)(`${name} (${needs})`, { meta: { needs } }, () => {
    beforeAll(() => {
      if (!isInstalled) throw new Error(`there is no ${PROGRAM}`)
    })
    body()
  })
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAM,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
}

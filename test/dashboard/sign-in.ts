import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export interface SignInOptions extends BrowserContextOptions {
  /** Default: the first key. */
  readonly key?: string
}

export interface SignedIn {
  readonly page: Page
  readonly context: BrowserContext
  /** Violations of the policy, errors of scripts, and dialogs. */
  readonly complaints: string[]
  /** Opens a page of the dashboard, and waits until it shows its data. */
  readonly open: (path: string) => Promise<void>
  /** The same from the page that is open, as a link does: without loading the code again. */
  readonly follow: (path: string) => Promise<void>
}

interface Place {
  readonly browser: Browser
  readonly url: string
  readonly key: string
}

/** Opens a window that has the session of a key. */
export async function signIn(
  { browser, key: firstKey, url }: Place,
  { key = firstKey, ...options }: SignInOptions = {},
): Promise<SignedIn> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const headers = { 'x-stagecraft': '1', origin: url }
  const answer = await context.request.post(`${url}/v1/session`, { data: { key }, headers })
  if (answer.status() !== 201) throw new Error(`the sign-in answered ${answer.status()}`)
  const page = await context.newPage()
  const complaints = listen(page)
  const open = (path: string) => openPage(page, `${url}/app${path}`)
  const follow = (path: string) => followTo(page, `/app${path}`)
  return { page, context, complaints, open, follow }
}

async function followTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    history.pushState(null, '', ${JSON.stringify(path)})
    dispatchEvent(new Event('popstate'))
    requestAnimationFrame(() => requestAnimationFrame(done))
  })`)
  await page.locator('main h1').waitFor()
  await page.locator('.wait').first().waitFor({ state: 'detached' })
}

/** Opens an address of the dashboard, and waits until it shows its data. */
export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('main h1').waitFor()
  await page.locator('.wait').first().waitFor({ state: 'detached' })
}

/** Collects what should not be: scripts that fail, policies that are broken, dialogs that markup opens. */
export function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) complaints.push(message.text())
  })
  return complaints
}

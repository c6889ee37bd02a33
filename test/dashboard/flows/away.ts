import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { newAdminKey, startService } from '../../service/start-service.ts'
import { auditPage } from '../audit-page.ts'
import type { World } from '../open-world.ts'
import { signIn } from '../sign-in.ts'

const TOLD = 'The service is not responding'
const NO_ANSWER = 'The service gave no answer'

/** A service stops and starts: each tab says so, keeps its data and its input, and continues automatically. */
export async function outlastStop(world: World): Promise<void> {
  const { browser } = world
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-away-'))
  const adminKey = newAdminKey()
  let service = await startService({ folder, adminKey })
  const url = service.apiUrl
  try {
    const { complaints, context, open, page } = await signIn({ browser, url, key: adminKey })
    await open('/settings?tab=project')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('half typed')
    const other = await context.newPage()
    await other.goto(`${url}/app/units`)
    await other.getByRole('button', { name: 'New unit' }).click()
    await other.getByLabel('Source', { exact: true }).fill('raw.half.typed')
    await service.stop()
    for (const tab of [page, other]) await tab.getByText(TOLD).waitFor()
    expect(await auditPage(page)).toEqual([])
    await other.getByRole('button', { name: 'Create unit' }).click()
    await expect.poll(() => other.getByRole('dialog').getByRole('alert').textContent()).toContain(NO_ANSWER)
    await other.getByRole('button', { name: 'Create unit' }).click({ trial: true })
    await failToLoad(page)
    let mayAnswer = (): void => undefined
    const held = new Promise<void>((resolve) => (mayAnswer = resolve))
    await page.route('**/v1/projects/proj_*', (route) => held.then(() => route.continue()))

    service = await startService({ folder, adminKey, flags: ['--port', new URL(url).port] })
    for (const tab of [page, other]) await tab.getByText(TOLD).waitFor({ state: 'detached', timeout: 90_000 })
    expect(await page.getByRole('alert').count()).toBe(0)
    mayAnswer()
    expect(await name.inputValue()).toBe('half typed')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.textContent('main dl')).toContain('half typed')
    await other.getByRole('button', { name: 'Create unit' }).click()
    await other.getByRole('link', { name: '← Units' }).waitFor()
    expect(complaints).toEqual([])
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  await retryPage(world)
  await retryCode(world)
}

/** Lets a page load its data again, as it does every half minute, while nothing answers. */
async function failToLoad(page: Page): Promise<void> {
  let failedAt = Infinity
  page.on('requestfailed', () => (failedAt = Date.now()))
  await page.evaluate(async () => {
    const { held, pending } = await navigator.locks.query()
    for (const { name } of [...held, ...pending]) {
      const channel = new BroadcastChannel(name)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
      channel.postMessage('all')
      channel.close()
    }
  })
  // The client pauses for less between its tries.
  await expect.poll(() => Date.now() - failedAt).toBeGreaterThan(3000)
}

/** A page whose code did not arrive is loaded by the next try. */
async function retryPage({ signIn }: World): Promise<void> {
  const { context, open, page } = await signIn()
  await open('/')
  await context.route('**/assets/pages-*', (route) => route.abort())
  await page.getByRole('link', { name: 'Scans', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await context.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Scans' }).waitFor()
}

/** A link for signing in is not called used before the service has said so. */
async function retryCode({ browser, url }: World): Promise<void> {
  const page = await browser.newPage()
  await page.route('**/v1/session', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.goto(`${url}/app/#code=unknown`)
  await expect.poll(() => page.getByRole('alert').textContent()).toContain(NO_ANSWER)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The link was already used or has expired').waitFor()
  await page.getByLabel('API key').waitFor()
  await page.close()
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { copied } from '../copied.ts'
import { MARKUP, type World } from '../open-world.ts'

/** A webhook is created; a delivery fails, and arrives once the receiver is well. */
export async function deliver({ client, ids, receiver, signIn }: World): Promise<void> {
  const { complaints, open, page } = await signIn()
  await open('/webhooks/new')
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByLabel('unit.created').check()
  await page.getByLabel('Description').fill(MARKUP)
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const secret = (await page.locator('.secret code').textContent()) ?? ''
  expect(secret).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('heading', { name: receiver.url }).waitFor()
  ids.webhook = /webhooks\/(\w+)/.exec(page.url())?.[1] ?? ''
  expect(await page.textContent('main')).toContain(MARKUP)

  await client.units.create({ name: 'second', type: 'base', source: ids.source })
  ids.delivery = await failedDelivery({ client, ids })
  await open(`/deliveries/${ids.delivery}`)
  await page.getByText('Response of the receiver').click()
  expect(await page.textContent('main')).toContain(MARKUP)
  await checkRequest(page, { secret, url: receiver.url })
  receiver.status = 200
  await page.getByRole('button', { name: 'Deliver again' }).click()
  await expect
    .poll(async () => (await client.webhooks.stats(ids.webhook)).deliveries['delivered'] ?? 0)
    .toBeGreaterThan(0)
  await open(`/webhooks/${ids.webhook}?state=delivered`)
  await expect
    .poll(() => page.getByRole('row', { name: /unit.created.*delivered/ }).count())
    .toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect.poll(() => page.getByRole('status').textContent()).toContain('The receiver responded with 200')
  await expect.poll(() => page.textContent('main')).toMatch(/Delivered in 7 days\d+(?:\.\d)?% of [1-9]/)
  await open('/webhooks')
  await expect
    .poll(() => page.getByRole('row', { name: new RegExp(receiver.url) }).textContent())
    .toMatch(/\d%\d+(?:\.\d)? m?s/)
  await open(`/webhooks/${ids.webhook}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Description').fill('edited by hand')
  await dialog.getByLabel('unit.deleted').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.textContent('main dl')).toMatch(/unit\.created.*unit\.deleted/)
  expect(await client.webhooks.get(ids.webhook)).toMatchObject({ description: 'edited by hand' })
  const { eventId } = await client.deliveries.get(ids.delivery)
  await open(`/events/${eventId}`)
  const receivers = page.getByRole('region', { name: 'Sent to' })
  await expect.poll(() => receivers.getByRole('link', { name: receiver.url }).count()).toBeGreaterThan(1)
  await filterDeliveries(page, { webhookId: ids.webhook, open })
  expect(complaints).toEqual([])
}

interface Filtered {
  readonly webhookId: string
  readonly open: (path: string) => Promise<void>
}

/** The list of all deliveries is filtered by webhook and by the last status. */
async function filterDeliveries(page: Page, { open, webhookId }: Filtered): Promise<void> {
  await open(`/deliveries?webhookId=${webhookId}`)
  const rows = page.getByRole('region', { name: 'Deliveries' }).locator('tbody tr')
  await page.getByLabel('Last status').fill('200')
  await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('200')
  await expect.poll(() => rows.filter({ hasText: 'delivered' }).count()).toBeGreaterThan(0)
  expect(await rows.filter({ hasNotText: '200' }).count()).toBe(0)
  await page.getByLabel('Last status').fill('404')
  await page.getByText('No delivery matches the filter').waitFor()
}

interface Sent {
  readonly secret: string
  readonly url: string
}

/** The headers of the request are shown, its signature is checked, and a shell sends it as it is. */
async function checkRequest(page: Page, { secret, url }: Sent): Promise<void> {
  await expect.poll(() => page.getByRole('region', { name: 'Headers' }).textContent()).toContain('webhook-id')
  await page.getByText('Check the signature').click()
  const check = async (typed: string): Promise<string | null> => {
    await page.getByLabel('Secret of the receiver').fill(typed)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    return await page.locator('main [role=status]').textContent()
  }
  expect(await check('another')).toContain('with another secret')
  await expect.poll(() => check(secret)).toContain('made with this secret')
  const command = await copied(page, 'Copy as curl', url)
  expect(command).toContain(`curl -X POST '${url}'`)
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s -w '%{http_code}'`])
  expect(stdout).toContain('500')
}

/** Waits until an attempt has failed, and returns the id of its delivery. */
async function failedDelivery({ client, ids }: Pick<World, 'client' | 'ids'>): Promise<string> {
  const read = async () => {
    const all = await client.webhooks.deliveries(ids.webhook).all({ limit: 10 })
    return all.find(({ lastStatus }) => lastStatus === 500)?.id ?? ''
  }
  await expect.poll(read).not.toBe('')
  return await read()
}

/** Of all deliveries, those that the filter selects are counted first, and delivered again. */
export async function deliverAgain({ client, signIn }: World): Promise<void> {
  const { open, page } = await signIn()
  await open('/deliveries?state=delivered')
  const { deliveries: expected } = await client.deliveries.redeliverMany({
    states: ['delivered'],
    dryRun: true,
  })
  expect(expected).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Deliver again…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deliver the filtered deliveries again' })
  await expect
    .poll(() => dialog.textContent())
    .toMatch(new RegExp(`${expected} deliver(y|ies) will be created`))
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => page.getByRole('status').textContent()).toMatch(/on (?:its|their) way/)
}

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { World } from '../open-world.ts'

interface Focused {
  readonly name: string
  /** True if it has an outline within the window. */
  readonly isSeen: boolean
}

/** The name of the focused element: its label, or its text. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(`(() => {
    const element = document.activeElement
    const box = element.getBoundingClientRect()
    const isInside = box.width > 0 && box.bottom > 0 && box.top < innerHeight
    const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.firstChild?.textContent ?? element.textContent
    return { name: element === document.body ? '' : name.trim(), isSeen: isInside && getComputedStyle(element).outlineStyle === 'solid' }
  })()`)

async function expectFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => focused(page), { message: name }).toEqual({ name, isSeen: true })
}

/** The most steps from one control of a page to another. */
const MOST_STEPS = 80

/** Presses Tab until an element has the focus, which is seen at each step. */
async function tabTo(page: Page, name: string): Promise<void> {
  const exact = { name, exact: true }
  const control = page.getByRole('button', exact).or(page.getByRole('link', exact))
  await control
    .or(page.getByLabel(name, { exact: true }))
    .first()
    .waitFor()
  const passed: string[] = []
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    passed.push(at.name)
    expect(at.isSeen, `${name}: ${passed.join(' > ')}`).toBe(true)
    if (at.name === name) return
  }
  throw new Error(`${name} was not reached: ${passed.join(' > ')}`)
}

/** Opens a page, a unit or a source by Ctrl-K. */
async function jumpTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expectFocus(page, 'Name of a page, unit or source')
  await page.keyboard.type(name)
  await page.getByRole('option', { name, exact: false }).first().waitFor()
  await page.keyboard.press('Enter')
  await expectFocus(page, name)
}

/** Everything is done by keys alone, and the focus is always seen. */
export async function goByKeys(world: World): Promise<void> {
  const { adminKey, browser, url } = world
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(`${url}/app/keys`)
  await expectFocus(page, 'API key')
  await page.keyboard.type(adminKey)
  await page.keyboard.press('Enter')
  await expectFocus(page, 'API keys')
  await makeKey(page)
  const webhookId = await makeWebhook(page, world)
  await generate(page, world)
  await findAgain(page)
  await jumpTo(page, 'Deliveries')
  const event = await page
    .getByRole('region', { name: 'Deliveries' })
    .locator('tbody a')
    .first()
    .textContent()
  await tabTo(page, event ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL(/deliveries\/dlv_/)
  await expectFocus(page, event ?? '')
  await page.goBack()
  await expectFocus(page, 'Deliveries')
  await world.client.webhooks.delete(webhookId)
  await jumpFar(page)
  await clickOn(page)
  await context.close()
}

/** A dialog gives the focus back to the button that opened it, however it is closed. */
async function makeKey(page: Page): Promise<void> {
  await tabTo(page, 'New key')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Name')
  await page.keyboard.press('Escape')
  await expectFocus(page, 'New key')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Name')
  await tabTo(page, 'Close')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'New key')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Name')
  await page.keyboard.type('by keys')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Copy')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('status', { includeHidden: true }).textContent()).toBe('Copied')
  await tabTo(page, 'I have stored it')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'New key')
  await tabTo(page, 'Revoke by keys')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Type “by keys” to confirm')
  await page.keyboard.type('by keys')
  await page.keyboard.press('Enter')
  // Its button is gone with the key.
  await expectFocus(page, 'API keys')
}

/** A form whose request fails keeps the focus; a new webhook has it. Returns its id. */
async function makeWebhook(page: Page, { client, receiver }: World): Promise<string> {
  await jumpTo(page, 'Webhooks')
  await tabTo(page, 'New webhook')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'New webhook')
  await tabTo(page, 'Address')
  await page.keyboard.type('https://stagecraft.invalid:1/hooks')
  await tabTo(page, 'Create webhook')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await expectFocus(page, 'Create webhook')
  await page.getByLabel('Address').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`${receiver.url}/by-keys`)
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Copy')
  await tabTo(page, 'I have stored it')
  await page.keyboard.press('Enter')
  await expectFocus(page, `${receiver.url}/by-keys`)
  const all = await client.webhooks.list().all()
  const made = all.find(({ url }) => url.endsWith('by-keys'))
  return made?.id ?? ''
}

async function generate(page: Page, { client, ids }: World): Promise<void> {
  const sources = await client.sources.list().all({ limit: 10 })
  const source = sources.find(({ name }) => name !== ids.source)?.name ?? ''
  await client.units.create({ name: 'made for keys', type: 'base', source })
  await jumpTo(page, 'made for keys')
  await tabTo(page, 'Generate')
  const history = page.getByRole('region', { name: 'Generations' }).getByRole('row')
  const before = await history.count()
  await page.keyboard.press('Enter')
  await expect.poll(() => history.count()).toBeGreaterThan(before)
  await expectFocus(page, 'Generate')
}

/** A filter that is cleared by its link is empty in its field too; typing goes on while the list changes. */
async function findAgain(page: Page): Promise<void> {
  await jumpTo(page, 'Audit log')
  const search = async (): Promise<string> => {
    await page.keyboard.press('/')
    return (await focused(page)).name
  }
  await expect.poll(search).toBe('Operation')
  const operation = () => new URL(page.url()).searchParams.get('operation')
  await page.keyboard.type('create')
  await expect.poll(operation).toBe('create')
  await page.keyboard.type('Nothing')
  await expect.poll(operation).toBe('createNothing')
  await tabTo(page, 'Clear the filter')
  await page.keyboard.press('Enter')
  await expect.poll(operation).toBe(null)
  await expectFocus(page, 'Audit log')
  expect(await page.getByLabel('Operation', { exact: true }).inputValue()).toBe('')
}

/** The choice in the list of Ctrl-K stays in sight, also where the menu is collapsed. */
async function jumpFar(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 500 })
  await page.keyboard.press('Control+k')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('ArrowUp')
  const last = page.getByRole('listbox', { name: 'Name of a page' }).getByRole('option', { selected: true })
  await expect.poll(() => last.textContent()).toContain('Settings')
  // the list takes its place in the smaller window after some frames
  const isInSight = async (): Promise<boolean | null> => {
    const [list, box] = await Promise.all([page.getByRole('listbox').boundingBox(), last.boundingBox()])
    return box && list && box.y >= list.y && box.y + box.height <= list.y + list.height + 1
  }
  await expect.poll(isInSight).toBe(true)
  await page.keyboard.press('Escape')
  await expectFocus(page, 'Deliveries')
}

/** After a click the title has the focus too, without an outline. */
async function clickOn(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'Units', exact: true }).click()
  await expect.poll(() => focused(page)).toEqual({ name: 'Units', isSeen: false })
}

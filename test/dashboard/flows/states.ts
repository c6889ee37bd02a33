import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@stagecraft/client'
import { expect } from 'vitest'
import { copied } from '../copied.ts'
import type { World } from '../open-world.ts'

/** The lists, which are empty in a new project. */
const LISTS =
  '/ /webhooks /deliveries /units /generations /connections /scans /sources /pushes /events /findings /assistant'

/** The pages that load something by which they can fail. */
const detailsOf = ({ ids }: World): string =>
  `/webhooks/${ids.webhook} /deliveries/${ids.delivery} /units/${ids.unit} /units/${ids.unit}?view=columns /generations/${ids.batch} /scans/${ids.scan} /sources/${ids.source} /pushes/${ids.push} /findings/${ids.analysis} /assistant/${ids.conversation} /file?path=models/fct_orders.sql`

/** A new project says on each page that there is nothing, and what to do, until its first models are made. */
export async function showNothing({ client, folder, signIn, url }: World): Promise<void> {
  const { key } = await client.projects.create({ name: 'empty' })
  const { complaints, follow, open, page } = await signIn({ key: key.secret })
  await open('/')
  expect(await page.textContent('main')).toContain('Nothing needs attention')
  for (const path of LISTS.split(' ')) {
    await follow(path)
    await expect.poll(() => page.locator('main .empty').count(), { message: path }).toBeGreaterThan(0)
    expect(await page.getByRole('alert').count(), path).toBe(0)
  }
  await follow('/keys?search=nobody')
  await page.locator('main .empty').waitFor()
  await follow('/')
  const next = page.getByRole('region', { name: 'Next step' })
  await next.getByRole('link', { name: 'Connections' }).click()
  await page.getByRole('heading', { name: 'Connections' }).waitFor()
  const own = createClient({ baseUrl: url, apiKey: key.secret })
  const catalog = `duckdb:${join(folder, 'demo.duckdb')}`
  await own.connections.create({ name: 'first', catalog })
  await own.connections.create({ name: 'second', catalog })
  await page.getByRole('button', { name: 'Make default second' }).click()
  await page.getByRole('button', { name: 'Make default first' }).waitFor()
  await follow('/')
  await next.getByRole('link', { name: 'Scans' }).click()
  await page.getByRole('button', { name: 'Scan now' }).first().click()
  const dialog = page.getByRole('dialog')
  const choices = dialog.getByLabel('Connection').getByRole('option')
  await expect.poll(() => choices.allTextContents()).toEqual(['second (the default)', 'first'])
  await dialog.getByRole('button', { name: 'Scan now' }).click()
  await page.getByRole('link', { name: 'Generate many…' }).waitFor()
  await follow('/')
  await next.getByRole('link', { name: 'Generate many…' }).click()
  await page.getByRole('button', { name: /^Generate \d/ }).click()
  await page.getByRole('heading', { name: 'Batch', level: 1 }).waitFor()
  await follow('/')
  await next.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
}

/** A key that may not see a page is told which scope it needs; a service that fails, with the request to look up. */
export async function showRefusals(world: World): Promise<void> {
  const { client, signIn } = world
  const paths = `${LISTS} /keys /audit /projects /bulk?look=1 ${detailsOf(world)}`.split(' ')
  const { secret } = await client.keys.create({ name: 'no reader', scopes: ['generate'] })
  const poor = await signIn({ key: secret })
  await poor.open('/settings')
  for (const path of paths) {
    await poor.follow(path)
    await expect
      .poll(() => poor.page.textContent('main'), { message: path })
      .toContain('needs a key with the scope')
    expect(await poor.page.locator('main .table').count(), path).toBe(0)
  }
  const { complaints, context, follow, open, page } = await signIn()
  await open('/settings')
  const error = { code: 'GENERATION_FAILED', message: 'the store is away', details: {} }
  const meta = { requestId: 'req_away', timestamp: '2026-01-02T03:04:05.000Z', tokensUsed: 0 }
  await context.route(/\/v1\/(?!session|.*\/stream)/, (route) =>
    route.fulfill({ status: 422, json: { success: false, error, meta } }),
  )
  for (const path of paths) {
    await follow(path)
    const alert = page.getByRole('alert').first()
    await expect.poll(() => alert.textContent(), { message: path }).toMatch(/the store is away.*req_away/)
    expect(await page.getByRole('button', { name: 'Try again' }).count(), path).toBeGreaterThan(0)
  }
  expect(complaints).toEqual([])
}

/** Of two tabs one reads the stream, and both show what changes; the other goes on when it is closed. */
export async function shareStream({ client, ids, signIn, url }: World): Promise<void> {
  const { context, open, page } = await signIn()
  let streams = 0
  context.on('request', (request) => {
    if (request.url().includes('/stream')) streams += 1
  })
  await open('/units?search=shared')
  const other = await context.newPage()
  await other.goto(`${url}/app/units?search=shared`)
  await other.getByText('No unit matches the filter').waitFor()
  await client.units.create({ name: 'shared by both', type: 'base', source: `${ids.source}_shared` })
  for (const tab of [page, other]) await tab.getByRole('link', { name: 'shared by both' }).waitFor()
  expect(streams).toBe(1)
  await page.close()
  await expect.poll(() => streams).toBe(2)
  await client.units.create({ name: 'shared by one', type: 'snapshot', source: `${ids.source}_shared` })
  await other.getByRole('link', { name: 'shared by one' }).waitFor()
}

/** A page can be had as curl, and what it sends is what the page shows. */
export async function copyPage({ adminKey, client, signIn, url }: World): Promise<void> {
  const { open, page } = await signIn()
  await open('/sources?search=crm')
  const command = await copied(page, 'Copy this page as curl', `'${url}/v1/`)
  expect(command).not.toContain(adminKey)
  const env = { ...process.env, STAGECRAFT_API_KEY: adminKey }
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
  const found = (JSON.parse(stdout) as { data: { items: { name: string }[] } }).data.items
  const expected = await client.sources.list({ search: 'crm' }).all()
  expect(found.map(({ name }) => name)).toEqual(expected.map(({ name }) => name))
  expect(found.length).toBeGreaterThan(0)
}

/** Times, rows and numbers are as this browser chose, also after it is opened again. */
export async function chooseLook({ ids, signIn, url }: World): Promise<void> {
  const { open, page } = await signIn({ timezoneId: 'Asia/Kolkata', reducedMotion: 'reduce' })
  await open(`/scans/${ids.scan}`)
  const time = page.locator('main dl time').first()
  expect(await time.textContent()).not.toContain('UTC')
  await open('/settings')
  await page.getByLabel('Times', { exact: true }).selectOption('UTC')
  await page.getByLabel('Rows', { exact: true }).selectOption('compact')
  await page.getByLabel('Colours').selectOption('dark')
  await page.goto(`${url}/app/scans/${ids.scan}`)
  const iso = (await time.getAttribute('datetime')) ?? ''
  expect(await time.textContent()).toContain(`:${iso.slice(14, 19)}`)
  expect(await time.textContent()).toContain('UTC')
  expect(await time.getAttribute('title')).toContain(iso)
  expect(await page.evaluate('JSON.stringify({ ...document.documentElement.dataset })')).toBe(
    '{"theme":"dark","density":"compact"}',
  )
  await open('/deliveries')
  await page.getByLabel('From').fill('2020-01-02T03:04')
  await expect.poll(() => new URL(page.url()).searchParams.get('since')).toBe('2020-01-02T03:04:00.000Z')
  await expect.poll(() => page.locator('main tbody tr').count()).toBeGreaterThan(0)
  await page.getByLabel('From').fill('2099-01-02T03:04')
  await page.getByText('No delivery matches the filter').waitFor()
}

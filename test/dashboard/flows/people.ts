// What people rely on without a thought: nothing typed is lost, heads of tables stay, ids can be copied, changes are told.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from '@stagecraft/spec'
import { expect } from 'vitest'
import { auditPage } from '../audit-page.ts'
import { copied } from '../copied.ts'
import type { World } from '../open-world.ts'

/** A session that ends takes nothing along: the sign-in stands above the page, and the form goes on behind it. */
export async function keepTyped({ adminKey, client, signIn }: World): Promise<void> {
  const { id, secret } = await client.keys.create({ name: 'short-lived key', scopes: ['read', 'write'] })
  const { complaints, open, page } = await signIn({ key: secret })
  await open('/units?search=anything')
  await page.getByRole('button', { name: 'New unit' }).click()
  const source = page.getByRole('textbox', { name: 'Source', exact: true })
  await source.fill('raw.long.to_type')
  await client.keys.revoke(id)
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.waitFor()
  expect(await page.locator('main').isVisible()).toBe(false)
  expect(await auditPage(page)).toEqual([])
  for (const _ of [1, 2]) await page.keyboard.press('Escape')
  const key = dialog.getByLabel('API key')
  await key.fill('sk_live_wrong')
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog.getByRole('alert').textContent()).toContain('expected a valid key')
  await key.fill(adminKey)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await source.inputValue()).toBe('raw.long.to_type')
  expect(new URL(page.url()).searchParams.get('search')).toBe('anything')
  await page.getByRole('button', { name: 'Create unit' }).click()
  await page.getByRole('link', { name: '← Units' }).waitFor()
  const [unit] = await client.units.list({ source: 'raw.long.to_type' }).all()
  await client.units.delete(unit?.id ?? '')
  expect(complaints).toEqual([])
}

/** A long table keeps its head in sight, and an id is copied whole, by the mouse or by the keyboard. */
export async function keepHeads({ client, ids, signIn }: World): Promise<void> {
  const { complaints, open, page } = await signIn({ viewport: { width: 1280, height: 400 } })
  await open(`/sources/${ids.source}`)
  const columns = page.getByRole('region', { name: 'Columns', exact: true })
  const topOf = async (part: string) => (await columns.locator(part).first().boundingBox())?.y ?? 0
  const [head, row] = [await topOf('th'), await topOf('tbody tr')]
  await page.evaluate(`document.querySelector('main .table').scrollTop = 120`)
  await expect.poll(() => topOf('tbody tr')).toBeLessThan(row - 60)
  expect(Math.abs((await topOf('th')) - head)).toBeLessThan(2)

  await open('/generations')
  const table = page.getByRole('region', { name: 'Generations', exact: true })
  const { items } = await client.generations.list({ limit: 1 }).page()
  const request = items[0]?.askedBy?.requestId ?? ''
  expect(request).toMatch(/^req_/)
  const copy = table.getByRole('button', { name: `Copy ${request}` }).first()
  const opacity = () => copy.evaluate((element) => String(element.computedStyleMap().get('opacity')))
  await page.mouse.move(0, 0)
  expect(await opacity()).toBe('0')
  await copy.focus()
  expect(await opacity()).toBe('1')
  await open(`/generations/${items[0]?.id}`)
  await page.getByRole('button', { name: `Copy ${items[0]?.id}` }).waitFor()
  expect(await copied(page, `Copy ${request}`, request)).toBe(request)
  expect(complaints).toEqual([])
}

function shopOf(columns: Table['columns']): string {
  const table: Table = { database: 'RAW', schema: 'DRIFT', name: 'BASKETS', columns }
  return JSON.stringify({ dialect: 'snowflake', tables: [table] })
}

/** Of a unit whose table has changed since, the list and the page of the unit say so; who asked is said of each generation. */
export async function showDrift({ client, folder, signIn }: World): Promise<void> {
  const file = join(folder, 'drift.json')
  const id = { name: 'ID', type: 'VARCHAR' }
  writeFileSync(file, shopOf([id]))
  const { id: connectionId } = await client.connections.create({
    name: 'drifting',
    catalog: `columns:${file}`,
  })
  const scan = async () => await client.scans.wait((await client.scans.create({ connectionId })).id)
  await scan()
  const unit = await client.units.create({
    type: 'staging',
    source: 'RAW.DRIFT.BASKETS',
    name: 'drifting baskets',
    connectionId,
  })
  const { id: generationId } = await client.generations.create({ unitId: unit.id })
  await client.generations.wait(generationId)
  const { complaints, open, page } = await signIn()
  await open('/units?changed=source&search=drifting')
  await page.getByText('No unit matches the filter').waitFor()
  writeFileSync(file, shopOf([id, { name: 'NOTE', type: 'VARCHAR' }]))
  await scan()
  const row = page.getByRole('row', { name: /drifting baskets/ })
  await expect.poll(() => row.textContent()).toContain('source changed')
  expect(await row.getByRole('cell', { name: '1', exact: true }).count()).toBe(1)
  await page.getByRole('link', { name: 'drifting baskets' }).click()
  await page.getByText('Generate the model again to update it.').waitFor()
  expect(await auditPage(page)).toEqual([])
  await page.getByRole('button', { name: 'Generate', exact: true }).click()
  await page.getByText('Generate the model again to update it.').waitFor({ state: 'detached' })
  const history = page.getByRole('region', { name: 'Generations' }).getByRole('row')
  await expect.poll(() => history.nth(1).textContent()).toContain('dashboard · ')
  expect(await history.last().textContent()).toContain('API · ')
  await page.goto(new URL('/app/units?changed=source&search=drifting', page.url()).href)
  await page.getByRole('link', { name: 'Clear the filter' }).click()
  await page.getByRole('link', { name: 'drifting baskets' }).waitFor()
  expect(complaints).toEqual([])
  await client.units.delete(unit.id)
  await client.connections.delete(connectionId)
}

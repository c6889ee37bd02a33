import { expect } from 'vitest'
import type { World } from '../open-world.ts'

/** A scan with limits leaves out the rows of larger tables, and its page says what it reads, and how much. */
export async function limitScan({ client, signIn }: World): Promise<void> {
  const { complaints, open, page } = await signIn()
  await open('/scans')
  await page.getByRole('button', { name: 'Scan now' }).click()
  const dialog = page.getByRole('dialog', { name: 'Scan now' })
  expect(await dialog.getByLabel('Skip tables larger than').count()).toBe(0)
  await dialog.getByLabel('Also read the rows').check()
  await dialog.getByLabel('Skip tables with more rows than').fill('10')
  await dialog.getByLabel('Skip tables larger than (in GB)').fill('0.25')
  await dialog.getByRole('button', { name: 'Scan now' }).click()
  await page.waitForURL(/scans\/scan_/)
  const scanId = /scan_\w+/.exec(page.url())?.[0] ?? ''
  const facts = page.locator('main dl')
  await expect
    .poll(() => facts.textContent())
    .toContain('read, except in tables with more than 10 rows or 250 MB')
  expect(await client.scans.wait(scanId)).toMatchObject({ maxRows: 10, maxBytes: 250_000_000 })
  await expect
    .poll(() => page.getByRole('region', { name: 'Warnings' }).textContent())
    .toContain('TABLE_TOO_LARGE')
  await page.getByRole('link', { name: 'Generate many…' }).waitFor()
  // Only BigQuery tells before it reads.
  await page.route(`**/v1/**/scans/${scanId}`, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: object }
    const progress = { done: 1, total: 52, bytesToRead: 1_250_000_000 }
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, progress } } })
  })
  await open(`/scans/${scanId}`)
  expect(await facts.textContent()).toContain('To be readat first 1.3 GB, according to a dry run')
  await page.unrouteAll()
  await open('/scans')
  await page.getByRole('button', { name: 'Scan now' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
}

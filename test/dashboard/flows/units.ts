import { expect } from 'vitest'
import { MARKUP, type World } from '../open-world.ts'

/** A unit shows its SQL in colours and its name as text, and what a new generation changed. */
export async function generateUnit({ client, ids, signIn }: World): Promise<void> {
  const { complaints, open, page } = await signIn()
  await open(`/units/${ids.unit}`)
  expect(await page.textContent('h1')).toBe(MARKUP)
  await expect.poll(() => page.locator('.code .code-keyword').count()).toBeGreaterThan(3)
  expect(await page.textContent('main')).toContain("select * from {{ source('")
  await client.units.update(ids.unit, { options: { leadingCommas: true } })
  await page.getByRole('button', { name: 'Generate', exact: true }).click()
  await page.getByLabel('Diff with the previous generation').check()
  await expect.poll(() => page.locator('.code .add').count()).toBeGreaterThan(0)
  expect(new URL(page.url()).searchParams.get('diff')).toBe('1')
  expect(complaints).toEqual([])
}

/** Scanned tables that a pattern selects are shown first, and then generated as one batch. */
export async function generateMany({ client, signIn }: World): Promise<void> {
  const { open, page } = await signIn()
  await open('/sources?search=shop')
  await page.getByRole('link', { name: 'Generate many…' }).click()
  await expect.poll(() => page.textContent('h2')).toMatch(/^Tables selected: [1-9]/)
  const { matched } = await client.units.createMany({
    type: 'staging',
    select: ['*shop*'],
    dryRun: true,
  })
  await page.getByRole('button', { name: `Generate ${matched}` }).click()
  await expect.poll(() => page.textContent('main')).toContain(`${matched} of ${matched} units`)
  await open('/units?search=shop')
  await page.getByRole('button', { name: 'Generate the filtered units' }).click()
  await expect.poll(() => page.getByRole('dialog').textContent()).toContain(`Units selected: ${matched}.`)
}

/** What changes elsewhere is shown without loading anew. */
export async function followChanges({ client, ids, signIn }: World): Promise<void> {
  const { open, page } = await signIn()
  await open('/units?search=live')
  await page.getByText('No unit matches the filter').waitFor()
  await client.units.create({ name: 'live from elsewhere', type: 'snapshot', source: ids.source })
  await page.getByRole('link', { name: 'live from elsewhere' }).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
}

/** Filters stand in the address, and Back leads to the page before. */
export async function goBack({ ids, signIn }: World): Promise<void> {
  const { open, page } = await signIn()
  await open('/sources?search=crm')
  expect(await page.getByLabel('Name contains').inputValue()).toBe('crm')
  await page.getByRole('link', { name: ids.source, exact: true }).click()
  await page.getByRole('heading', { name: ids.source }).waitFor()
  await page.goBack()
  await expect.poll(() => page.getByLabel('Name contains').inputValue()).toBe('crm')
}

/** Findings are filtered by the address; what can be mended is pushed. */
export async function showFindings({ ids, signIn }: World): Promise<void> {
  const { complaints, open, page } = await signIn()
  await open('/findings')
  expect(await page.getByRole('img', { name: /^Score of the last 2 checks/ }).count()).toBe(1)
  await open(`/findings/${ids.analysis}?severity=error`)
  await page.getByText('SC308 missing-reference').click()
  await expect.poll(() => page.locator('main details[open]').textContent()).toContain(MARKUP)
  await page.getByRole('button', { name: 'Push fixes…' }).click()
  await page.getByLabel('Only plan').check()
  await page.getByRole('button', { name: 'Push fixes', exact: true }).click()
  await page.getByRole('link', { name: '← Pushes' }).waitFor()
  expect(complaints).toEqual([])
}

/** A column shows why its tests and its name are what they are; the diff with a branch stands below. */
export async function showEvidence({ ids, repository, signIn }: World): Promise<void> {
  const { complaints, open, page } = await signIn()
  await open(`/units/${ids.unit}?view=columns`)
  const links = page.getByRole('region', { name: 'Columns' }).getByRole('link')
  const column = (await links.first().textContent()) ?? ''
  await links.first().click()
  const evidence = page.getByRole('region', { name: `Evidence: ${column}` })
  await expect.poll(() => evidence.textContent()).toMatch(/^.*name.*Change it with/)
  expect(new URL(page.url()).searchParams.get('column')).toBe(column)

  await open(`/units/${ids.unit}`)
  await page.getByRole('button', { name: 'Diff with a branch…' }).click()
  await page.getByRole('textbox', { name: 'Branch' }).fill('main')
  await page.getByRole('button', { name: 'Show the diff' }).click()
  const diff = page.getByRole('region', { name: 'Diff with main' })
  const file = diff.locator('.box summary')
  await expect.poll(() => file.count()).toBeGreaterThan(0)
  await file.first().click()
  await expect.poll(() => diff.locator('.add:visible').count()).toBeGreaterThan(0)
  expect(repository.git('rev-list', '--count', 'main').trim()).toBe('1')
  expect(complaints).toEqual([])
}

/** A source shows its rows and keys. */
export async function showSource({ ids, signIn }: World): Promise<void> {
  const { open, page } = await signIn()
  await open(`/sources/${ids.source}`)
  await expect.poll(() => page.textContent('main dl')).toMatch(/Rows read[\d,]+/)
  expect(await page.getByRole('columnheader', { name: 'Distinct' }).count()).toBe(1)
}

/** Ctrl-K leads to a page, a unit or a source by the keyboard alone; Escape closes it. */
export async function jump({ ids, signIn }: World): Promise<void> {
  const { open, page } = await signIn()
  await open('/')
  await page.keyboard.press('Control+k')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.type('audit')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.type(ids.source)
  const option = page.getByRole('option', { name: `${ids.source} Source`, exact: true })
  await option.waitFor()
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => option.getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: ids.source }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
}

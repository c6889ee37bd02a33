import { expect } from 'vitest'
import { auditPage } from '../audit-page.ts'
import { MARKUP, type World } from '../open-world.ts'

/** A question is asked; the answer comes with the places that prove it, and markup in it stays text. */
export async function ask({ client, ids, signIn }: World): Promise<void> {
  const { complaints, open, page } = await signIn()
  await open(`/assistant/${ids.conversation}`)
  expect(await page.textContent('h1')).toBe(MARKUP)
  await page.getByLabel('Question').fill('Where is stg_orders used?')
  await page.keyboard.press('Control+Enter')
  const answer = page.locator('.answer')
  await expect.poll(() => answer.textContent()).toMatch(/stg_orders/)
  const { items } = await client.messages.list(ids.conversation, {}).page()
  expect(items.map(({ state }) => state)).toEqual(['completed'])
  const [first] = items[0]?.answer?.citations ?? []
  expect(first?.file).toBe('models/fct_orders.sql')
  await page.getByRole('button', { name: '[1]' }).click()
  await expect.poll(() => page.locator('.cited details[open]').textContent()).toContain(MARKUP)
  await page.getByRole('link', { name: 'Open the file' }).click()
  await page.getByRole('heading', { name: 'models/fct_orders.sql' }).waitFor()
  const line = page.locator('.code .marked')
  await expect.poll(() => line.textContent()).toContain("ref('stg_orders')")
  expect(await page.textContent('.code')).toContain(MARKUP)
  expect(await auditPage(page)).toEqual([])
  expect(await client.assistant.file('models/fct_orders.sql')).toContain(MARKUP)
  await open('/file?path=profiles.yml')
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('profiles.yml')
  expect(complaints).toEqual([])
}

/** Settings are shown as they are, and saved; a faulty one is refused with its name. */
export async function changeSettings({ client, signIn }: World): Promise<void> {
  const { open, page } = await signIn()
  const { projectId } = await client.sessions.get()
  await open('/settings?tab=project')
  const project = page.getByRole('region', { name: 'Project and generation' })
  await project.getByLabel('testReasons').selectOption('true')
  await project.getByLabel('Naming, sources and other settings').fill('{"preset": "none"}')
  await project.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => project.getByRole('alert').textContent()).toContain('config.preset')
  await project
    .getByLabel('Naming, sources and other settings')
    .fill('{"naming": {"glossary": {"cust": "customer"}}}')
  await project.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Saved')
  expect((await client.projects.get(projectId)).config).toEqual({
    naming: { glossary: { cust: 'customer' } },
    options: { testReasons: true },
  })
  await page.getByRole('link', { name: 'Language model' }).click()
  expect(new URL(page.url()).searchParams.get('tab')).toBe('model')
  const model = page.getByRole('region', { name: 'Language model of the assistant' })
  const tokens = model.getByLabel('Tokens per day')
  await tokens.fill('5000')
  await model.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await client.assistant.settings()).tokensPerDay).toBe(5000)
  await page.reload()
  await expect.poll(() => tokens.inputValue()).toBe('5000')
  await page.getByRole('link', { name: 'Connection', exact: true }).click()
  await page.getByRole('button', { name: /^Test / }).click()
  await expect.poll(() => page.getByRole('status').textContent()).toContain('It works')
  await page.goBack()
  await tokens.waitFor()
}

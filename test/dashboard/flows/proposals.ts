import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { auditPage } from '../audit-page.ts'
import { type ChatTurn, openChatServer } from '../chat-server.ts'
import type { World } from '../open-world.ts'

const EDIT = { id: 'stg_orders', description: 'One row per order.' }

function answer({ results }: ChatTurn) {
  return results.length === 0
    ? { tool: 'propose_properties', input: { edits: [EDIT] } }
    : 'The proposal describes it.'
}

/** A proposal is planned, refused where the branch has another file by then, asked for anew, pushed, and discarded. */
export async function propose(world: World): Promise<void> {
  const chat = await openChatServer(answer)
  const { client } = world
  try {
    await client.assistant.update({ provider: 'openai-compatible', model: 'test', baseUrl: chat.url })
    await follow(world)
  } finally {
    await client.assistant.update({ provider: null, model: null, baseUrl: null })
    chat.close()
  }
}

async function follow({ client, repository, signIn }: World): Promise<void> {
  const { complaints, open, page } = await signIn()
  const { id } = await client.conversations.create({ title: 'Describe the orders' })
  await ask(page, () => open(`/assistant/${id}`))
  await page.getByRole('link', { name: 'Show the proposal' }).click()
  await expect
    .poll(() => page.locator('.code .add').allTextContents())
    .toContain(`    description: ${EDIT.description}`)
  expect(await auditPage(page)).toEqual([])
  const first = new URL(page.url()).pathname.slice('/app'.length)
  const path = (await page.locator('main section code').first().textContent()) ?? ''

  await push(page, { branch: 'described', isPlan: true })
  await expect.poll(() => page.textContent('main')).toContain('planned')
  expect(repository.git('branch', '--list', 'described')).toBe('')

  const byHand = 'models:\n  - name: stg_orders\n    description: By hand.\n'
  repository.commit({ [path]: byHand })
  await open(first)
  await push(page, { branch: 'described', isPlan: false })
  await expect
    .poll(() => page.textContent('main'))
    .toContain('a proposal for the current files of the branch')
  await open(first)
  await page.getByText('The push failed.').waitFor()
  expect(await page.textContent('main dl')).toContain('open')

  await ask(page, () => open(`/assistant/${id}`))
  await page.getByRole('link', { name: 'Show the proposal' }).last().click()
  await page.getByRole('heading', { name: /describe or test/ }).waitFor()
  const second = new URL(page.url()).pathname.slice('/app'.length)
  expect(second).not.toBe(first)
  await push(page, { branch: 'described', isPlan: false })
  await expect.poll(() => page.textContent('main')).toContain('pushed')
  expect(repository.read(path, 'described')).toBe(byHand.replace('By hand.', EDIT.description))
  await open(second)
  await expect.poll(() => page.textContent('main dl')).toContain('applied')
  expect(await page.getByRole('button', { name: 'Push it…' }).count()).toBe(0)

  await open(first)
  await page.getByRole('button', { name: 'Discard' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Discard' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel(/^Type “/).fill((await page.textContent('h1')) ?? '')
  await confirm.click()
  await page.getByRole('heading', { name: 'Assistant' }).waitFor()
  await expect.poll(() => page.locator(`a[href$="${second}"]`).count()).toBe(1)
  expect(await page.locator(`a[href$="${first}"]`).count()).toBe(0)
  await open(first)
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('NOT_FOUND')
  expect(complaints).toEqual([])
}

/** Asks for a change, and waits until one more answer is there. */
async function ask(page: Page, open: () => Promise<void>): Promise<void> {
  await open()
  const proposals = page.getByRole('link', { name: 'Show the proposal' })
  const before = await proposals.count()
  await page.getByLabel('Question').fill('Describe stg_orders')
  await page.getByLabel('Allow proposals').check()
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect.poll(() => proposals.count()).toBe(before + 1)
}

interface PushOptions {
  readonly branch: string
  readonly isPlan: boolean
}

async function push(page: Page, { branch, isPlan }: PushOptions): Promise<void> {
  await page.getByRole('button', { name: 'Push it…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Branch').fill(branch)
  if (isPlan) await dialog.getByLabel('Only plan').check()
  await dialog.getByRole('button', { name: 'Push it', exact: true }).click()
  await page.getByRole('link', { name: '← Pushes' }).waitFor()
}

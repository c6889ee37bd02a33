import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from '@stagecraft/client'
import { expect } from 'vitest'
import { repositoryPath } from '../../paths.ts'
import { SECRET_KEY } from '../../service/start-service.ts'
import { listen } from '../sign-in.ts'
import type { World } from '../open-world.ts'

/** A wrong key is refused with the reason, and nothing of it stays in the page. */
export async function refuseWrongKey({ browser, url }: World): Promise<void> {
  const page = await browser.newPage()
  await page.goto(`${url}/app/keys`)
  await page.getByLabel('API key').fill('sk_test_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('expected a valid key')
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).toBe(
    '[{},{},""]',
  )
  await page.close()
}

/** The command that the sign-in names makes a key that signs in. */
export async function makeFirstKey({ browser, folder, url }: World): Promise<void> {
  const page = await browser.newPage()
  await page.goto(`${url}/app/`)
  const [program, ...parameters] = ((await page.locator('main pre').textContent()) ?? '').split(' ')
  expect(program).toBe('stagecraft')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [repositoryPath('packages/cli/src/bin.ts'), ...parameters, '--data', folder],
    { env: { ...process.env, DATABASE_URL: '', STAGECRAFT_SECRET_KEY: SECRET_KEY } },
  )
  await page.getByLabel('API key').fill(/sk_\w+/.exec(stdout)?.[0] ?? '')
  await page.keyboard.press('Enter')
  await page.getByText('Signed in as dashboard').waitFor()
  await page.close()
}

/** A key is created, shown once, used, and seen as used; revoked, it signs out at once. */
export async function issueKey({ browser, signIn, url }: World): Promise<void> {
  const { complaints, open, page } = await signIn()
  await open('/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('pages')
  for (const scope of ['generate', 'write', 'admin']) await page.getByRole('dialog').getByLabel(scope).check()
  await page.getByRole('button', { name: 'Create key' }).click()
  const secret = (await page.locator('.secret code').textContent()) ?? ''
  expect(secret).toMatch(/^sk_/)
  for (const _ of [1, 2]) await page.keyboard.press('Escape')
  expect(await page.locator('.secret code').textContent()).toBe(secret)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const row = page.getByRole('row', { name: /pages/ })
  await expect.poll(() => row.textContent()).toContain('never')
  expect(await page.content()).not.toContain(secret)

  const other = await browser.newPage()
  await other.goto(`${url}/app/units`)
  await other.getByLabel('API key').fill(secret)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('heading', { name: 'Units' }).waitFor()
  expect(await other.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  await other.goto(`${url}/app/webhooks`)
  await expect.poll(() => other.textContent('main')).toContain('needs a key with the scope “webhooks”')

  await page.reload()
  await expect.poll(() => row.textContent()).toMatch(/ago.*(?:ago|now)/)
  await page.getByRole('button', { name: 'Revoke pages' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Revoke' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel('Type “pages” to confirm').fill('pages')
  await confirm.click()
  await expect.poll(() => row.textContent()).toContain('revoked')
  expect(await row.getByRole('button').count()).toBe(0)
  await other.getByLabel('API key').waitFor()
  await open('/audit?operation=revokeKey')
  await expect.poll(() => page.getByRole('row', { name: /revokeKey.*done/ }).count()).toBe(1)
  expect(complaints).toEqual([])
}

/** A key is replaced: both open the project for a day, and the new one is shown once. */
export async function replaceKey({ client, signIn, url }: World): Promise<void> {
  const { id, secret: old } = await client.keys.create({ name: 'replaced', scopes: ['read'] })
  const { complaints, open, page } = await signIn()
  await open('/keys?search=replaced')
  await page.getByRole('button', { name: 'Replace replaced' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace the key “replaced”?' })
  expect(await dialog.textContent()).toContain('stays valid for 24 hours')
  await dialog.getByRole('button', { name: 'Replace' }).click()
  const secret = (await page.locator('.secret code').textContent()) ?? ''
  await page.getByRole('button', { name: 'I have stored it' }).click()
  for (const apiKey of [old, secret])
    expect(await createClient({ baseUrl: url, apiKey }).sessions.get()).toMatchObject({
      keyName: 'replaced',
      scopes: ['read'],
    })
  await expect.poll(() => page.getByRole('row', { name: /replaced/ }).count()).toBe(2)
  const before = (await client.keys.list({ search: 'replaced' }).all()).find((key) => key.id === id)
  expect(before?.expiresAt).toBeDefined()
  expect(await page.content()).not.toContain(secret)
  expect(complaints).toEqual([])
}

/** The sign-out ends the session. Other tabs hear of it from this one, and go on after the next sign-in. */
export async function signOut({ adminKey, signIn, url }: World): Promise<void> {
  const { context, open, page } = await signIn()
  await open('/')
  const other = await context.newPage()
  await other.goto(`${url}/app/units`)
  await other.getByRole('button', { name: 'New unit' }).click()
  const source = other.getByLabel('Source', { exact: true })
  await source.fill('raw.half.typed')
  await other.route('**/v1/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  const again = other.getByRole('dialog', { name: 'Sign in again' })
  await again.waitFor()
  await other.unrouteAll()
  await page.getByLabel('API key').fill(adminKey)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await other.evaluate(`dispatchEvent(new Event('focus'))`)
  await again.waitFor({ state: 'detached' })
  expect(await source.inputValue()).toBe('raw.half.typed')
  await other.close()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  const answer = await context.request.get(`${url}/v1/session`)
  expect(answer.status()).toBe(401)
  const fresh = await context.newPage()
  expect(listen(fresh)).toEqual([])
  await fresh.goto(`${url}/app/`)
  await fresh.getByLabel('API key').waitFor()
}

/** A project is created with a key of its own, and deleted once its name is typed, which signs out. */
export async function makeProject({ browser, signIn, url }: World): Promise<void> {
  const { open, page } = await signIn()
  await open('/projects')
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('short-lived')
  await page.getByRole('button', { name: 'Create project' }).click()
  const key = (await page.locator('.secret code').textContent()) ?? ''
  expect(key).toMatch(/^sk_/)

  const other = await browser.newPage()
  await other.goto(`${url}/app/projects`)
  await other.getByLabel('API key').fill(key)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('button', { name: 'Delete short-lived' }).click()
  const confirm = other.getByRole('dialog').getByRole('button', { name: 'Delete' })
  await other.getByLabel('Type “short-lived” to confirm').fill('short-live')
  expect(await confirm.isDisabled()).toBe(true)
  await other.getByLabel('Type “short-lived” to confirm').fill('short-lived')
  await confirm.click()
  await other.getByLabel('API key').waitFor()
  await page.reload()
  await expect.poll(() => page.textContent('main')).toContain('you are here')
}

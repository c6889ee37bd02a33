import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import { expect } from 'vitest'
import { MARKUP, type World } from '../open-world.ts'
import { openPage } from '../sign-in.ts'

interface Attacker {
  readonly address: string
  /** What comes of its two requests. */
  readonly outcome: string
  readonly close: () => void
}

/** On another site, which the browser lets ask nothing of this machine. */
async function onOtherSite(context: BrowserContext, html: string): Promise<Attacker> {
  const address = 'http://attacker.test/'
  await context.route(`${address}**`, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  return { address, outcome: 'refused,refused', close: () => undefined }
}

/** On another port of this machine, from where a cookie of the site is sent along. */
async function onOtherPort(html: string): Promise<Attacker> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { address: `http://127.0.0.1:${port}/`, outcome: 'opaque,refused', close }
}

/** Pages of others can neither frame the dashboard nor change anything with its cookie. */
export async function refuseOthers({ client, signIn, url }: World): Promise<void> {
  const { context, open } = await signIn()
  await open('/')
  const before = await namesOf(client)
  const body = JSON.stringify({ name: 'attacked', scopes: ['read'] })
  const { projectId } = await client.sessions.get()
  const target = `${url}/v1/projects/${projectId}/keys`
  const html = `<iframe src="${url}/app/keys"></iframe>
    <form method="post" enctype="text/plain" action="${target}" target="out"><input name='${body.slice(0, -1)},"x":"' value='"}'></form>
    <iframe name="out"></iframe>`
  for (const attacker of [await onOtherSite(context, html), await onOtherPort(html)]) {
    const page = await context.newPage()
    await page.goto(attacker.address)
    const framed = page.frames().find((frame) => frame.parentFrame() !== null && frame.name() !== 'out')
    expect(framed?.url()).not.toContain(url)
    const outcome = await page.evaluate<string>(`(async () => {
      document.forms[0].submit()
      const send = (init) =>
        fetch(${JSON.stringify(target)}, { method: 'POST', credentials: 'include', body: ${JSON.stringify(body)}, ...init })
          .then((answer) => answer.type, () => 'refused')
      return [
        await send({ mode: 'no-cors', headers: { 'content-type': 'text/plain' } }),
        await send({ headers: { 'content-type': 'application/json', 'x-stagecraft': '1' } }),
      ].join()
    })()`)
    expect(outcome).toBe(attacker.outcome)
    attacker.close()
    await page.close()
  }
  expect(await namesOf(client)).toEqual(before)
}

async function namesOf(client: World['client']): Promise<readonly string[]> {
  return (await client.keys.list().all({ limit: 200 })).map(({ name }) => name).toSorted()
}

/** A session that another person planted in the browser is not the one that a sign-in opens. */
export async function refusePlanted({ adminKey, browser, url }: World): Promise<void> {
  const context = await browser.newContext()
  const planted = 'ses_0000000000000000000000000000'
  await context.addCookies([{ name: 'stagecraft', value: planted, url }])
  const page = await context.newPage()
  await page.goto(`${url}/app/`)
  await page.getByLabel('API key').fill(adminKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const cookie = (await context.cookies(url)).find(({ name }) => name === 'stagecraft')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  expect(cookie?.value).not.toBe(planted)
  const answer = await fetch(`${url}/v1/session`, { headers: { cookie: `stagecraft=${planted}` } })
  expect(answer.status).toBe(401)
  expect(await page.evaluate('document.cookie')).toBe('')
}

/** A server that is slow, fails or cannot be reached is told as that, and asked again by a button. */
export async function standFailures({ signIn, url }: World): Promise<void> {
  const { complaints, context, open, page } = await signIn()
  await open('/')
  const envelope = {
    success: false,
    error: { code: 'INVALID_REQUEST', message: `no such thing: ${MARKUP}`, details: {} },
    meta: { requestId: 'req_failing', timestamp: '2026-01-02T03:04:05.000Z', tokensUsed: 0 },
  }
  const units = '**/v1/projects/*/units?*'
  await context.route(units, (route) => route.fulfill({ status: 400, json: envelope }))
  await openPage(page, `${url}/app/units`)
  const alert = page.getByRole('alert')
  await expect.poll(() => alert.textContent()).toContain('req_failing')
  expect(await alert.textContent()).toContain(MARKUP)
  await context.unroute(units)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('region', { name: 'Units' }).waitFor()

  await context.route(units, (route) => route.abort())
  await openPage(page, `${url}/app/units?search=a`)
  await alert.waitFor()
  await context.unroute(units)

  const slow = Promise.withResolvers<void>()
  await context.route(units, async (route) => {
    await slow.promise
    await route.continue()
  })
  await page.goto(`${url}/app/units?search=b`)
  await page.locator('.wait').waitFor()
  slow.resolve()
  await expect.poll(() => page.locator('.wait').count()).toBe(0)
  expect(await page.locator('main img').count()).toBe(0)
  expect(complaints).toEqual([])
}

import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { freshName } from './ask.ts'
import { expectFailure, expectSuccess } from './expect-envelope.ts'
import { notRun } from './not-run.ts'
import type { OwnProject, Session, UseSession } from './session.ts'

const PASSWORD = 'hunter2-of-the-suite'

/** §7: the codes that come about by what is asked, or by what a connection leads to. */
export function errorTests(use: UseSession): void {
  const generate = (body: object, key?: string) =>
    use().ask('POST /generate', { body: { type: 'staging', ...body }, ...(key !== undefined && { key }) })

  describe('§7 errors', () => {
    test.each(['GET /generate/x', 'GET /nothing', 'GET /v1', 'GET /v1/nothing', 'PUT /v1/webhooks'])(
      '§7 NOT_FOUND: no such address: %s',
      async (line) => {
        expectFailure(await use().ask(line), 'NOT_FOUND')
      },
    )

    test('§7 NOT_FOUND: resource not found', async () => {
      const { ask, projectId } = use()
      const ids = ['units/unit_0', 'scans/scan_0', 'generations/gen_0', 'pushes/push_0', 'connections/conn_0']
      const paths = ids.map((id) => `/v1/projects/${projectId}/${id}`)
      const more = [
        '/v1/webhooks/whk_0',
        '/v1/webhook-deliveries/dlv_0',
        '/v1/events/evt_0',
        '/v1/projects/proj_0',
      ]
      for (const path of [...paths, ...more]) expectFailure(await ask(`GET ${path}`), 'NOT_FOUND')
    })

    test('§7 NOT_FOUND: a resource of somebody else', async () => {
      const { ask, create, ownProject, projectId } = use()
      const { id: webhookId } = await create('/v1/webhooks', {
        url: 'https://example.com/',
        events: ['unit.created'],
        secret: 'secret',
      })
      const { id, key } = await ownProject()
      expectFailure(await ask(`GET /v1/webhooks/${String(webhookId)}`, { key }), 'NOT_FOUND')
      expectFailure(await ask(`GET /v1/projects/${projectId}`, { key }), 'NOT_FOUND')
      expectFailure(await ask(`GET /v1/projects/${id}/units`), 'NOT_FOUND')
    })

    test('§7 INVALID_REQUEST: malformed body, with everything that is wrong', async () => {
      const answer = await generate({ type: 1, source: 2, options: { addTests: 'yes' } })
      const { details } = expectFailure(answer, 'INVALID_REQUEST')
      const faults = details?.['faults'] as readonly { readonly path: string }[]
      expect(faults.map(({ path }) => path).toSorted()).toEqual(['options.addTests', 'source', 'type'])
    })

    test('§7 INVALID_SOURCE: no such table, with a suggestion', async () => {
      const source = use().source.replace(/[^.]+$/, freshName('no_such_table'))
      const { details } = expectFailure(await generate({ source }), 'INVALID_SOURCE')
      expect(details?.['suggestion']).toMatch(/\w/)
    })

    test('§7 INVALID_SOURCE: a table that is nearly spelt right is suggested', async () => {
      const { source } = use()
      const { details } = expectFailure(await generate({ source: `${source}x` }), 'INVALID_SOURCE')
      expect(details?.['suggestion']).toContain(source.split('.').at(-1))
    })

    test('§7 CONNECTION_FAILED: the database cannot be reached, and its password is not told', async () => {
      const { ask } = use()
      const { id, key, path } = await projectOver(use(), await closedPort())
      const answers = [
        await ask(`POST ${path}/${id}/test`, { key }),
        await generate({ source: 'raw.orders' }, key),
      ]
      for (const answer of answers) {
        expectFailure(answer, 'CONNECTION_FAILED')
        expect(answer.text).not.toContain(PASSWORD)
      }
    })

    test('§7 GENERATION_FAILED: a generation that takes too long', async (context) => {
      const { deadlineSeconds } = use().target
      if (deadlineSeconds === undefined || deadlineSeconds > 10) {
        notRun(
          context,
          use(),
          'it cannot be brought about from outside but by a deadline of at most 10 s: --deadline',
        )
      }
      const silent = await silentServer()
      context.onTestFinished(silent.close)
      const { key } = await projectOver(use(), silent.port)
      expectFailure(await generate({ source: 'raw.orders' }, key), 'GENERATION_FAILED')
    })
  })
}

/** §7 and §8. */
export function limitTests(use: UseSession): void {
  test('§7 §8 RATE_LIMITED: too many requests of one key, and of no other', async (context) => {
    const { ask, keyWith, target } = use()
    const { requestsPerMinute } = target
    if (requestsPerMinute === undefined) notRun(context, use(), 'the quota is not known: --rate-limit')
    const key = await keyWith('read')
    const flood = async () => {
      for (let count = 0; count <= requestsPerMinute; count += 1) {
        const answer = await ask('GET /v1/projects', { key })
        if (answer.status === 429) return answer
      }
      return undefined
    }
    const found = (await Promise.all(Array.from({ length: 8 }, flood))).find((answer) => answer !== undefined)
    expect(found, `no 429 after 8 times ${requestsPerMinute} requests`).toBeDefined()
    if (!found) return
    expectFailure(found, 'RATE_LIMITED')
    expect(Number(found.headers.get('retry-after'))).toBeGreaterThan(0)
    expectSuccess(await ask('GET /v1/projects'))
  })
}

/** A project whose only connection leads to a port of this machine, as the service sees it. */
async function projectOver(
  { create, ownProject }: Session,
  port: number,
): Promise<OwnProject & { readonly path: string }> {
  const { id: projectId, key } = await ownProject()
  const path = `/v1/projects/${projectId}/connections`
  const catalog = `postgres://reader:${PASSWORD}@127.0.0.1:${port}/raw`
  const { id } = await create(path, { name: 'unreachable', catalog }, key)
  return { id: String(id), key, path }
}

async function closedPort(): Promise<number> {
  const { close, port } = await silentServer()
  close()
  return port
}

/** Takes connections and says nothing. */
async function silentServer(): Promise<{ readonly port: number; readonly close: () => void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

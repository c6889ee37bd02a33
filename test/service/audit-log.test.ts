import { createClient } from '@stagecraft/client'
import { expect, test } from 'vitest'
import { pruneAuditLog } from '../../packages/service/src/audit/audit-log.ts'
import { change } from '../../packages/service/src/change.ts'
import { createProjectKey, revokeAnyKey } from '../../packages/service/src/keys/keys.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { openTestContext } from './open-test-context.ts'
import { addProjectWithKey, serveContext } from './serve-context.ts'

const DAY = 86_400_000

await describeEachStore('the audit log', MIGRATIONS, (open) => {
  test('tells which key changed what, by calls, sign-ins and commands', async () => {
    const context = openTestContext(await open())
    const { url } = await serveContext(context)
    const { keyId, projectId, secret } = await addProjectWithKey(context)
    const client = createClient({ baseUrl: url, apiKey: secret, projectId })
    const unit = await client.units.create({ type: 'staging', source: 'a.b' })
    await client.units.update(unit.id, { name: 'Renamed' })
    await client.units.list().all()
    await client.units.delete(unit.id)
    await client.units.delete(unit.id).catch(() => undefined)
    await client.webhooks.create({
      url: 'https://example.com/hooks?token=hunter2',
      events: ['unit.created'],
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    })
    const page = { 'x-stagecraft': '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const body = JSON.stringify({ key: secret })
    const signIn = await fetch(`${url}/v1/session`, { method: 'POST', headers: page, body })
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    await fetch(`${url}/v1/session`, { method: 'DELETE', headers: { ...page, cookie } })
    const made = await createProjectKey(
      { name: 'ci', scopes: ['read'], expiresAt: undefined, projectId },
      context,
    )
    await revokeAnyKey(made.row.id, context)
    await client.generate({ type: 'staging', source: 'a.b' }).catch(() => undefined)

    const entries = (await client.auditLog.list({ limit: 3 }).all()).toReversed()
    expect(entries.map(({ operation, outcome, via }) => `${via} ${operation} ${outcome}`)).toEqual([
      'key createUnit done',
      'key updateUnit done',
      'key deleteUnit done',
      'key deleteUnit refused',
      'key createWebhook done',
      'key createSession done',
      'session deleteSession done',
      'command createKey done',
      'command revokeKey done',
      'key generate refused',
    ])
    expect(entries[0]).toMatchObject({ keyId, keyName: expect.any(String), resourceId: unit.id })
    expect(entries[3]).toMatchObject({ resourceId: unit.id, code: 'NOT_FOUND' })
    expect(entries[0]?.requestId).toMatch(/^req_/)
    expect(entries[7]?.keyId).toBeUndefined()
    expect(JSON.stringify(entries)).not.toMatch(/hunter2|whsec_|sk_/)
    const filtered = async (query: Parameters<typeof client.auditLog.list>[0]) =>
      (await client.auditLog.list(query).all()).length
    expect(await filtered({ operation: 'deleteUnit' })).toBe(2)
    expect(await filtered({ resourceId: unit.id, outcome: 'done' })).toBe(3)
    expect(await filtered({ keyId: 'key_1' })).toBe(0)
  })

  test('has no entry of a change that was undone, and one for a change that was done', async () => {
    const context = openTestContext(await open())
    const { url } = await serveContext(context)
    const { projectId, secret } = await addProjectWithKey(context)
    const client = createClient({ baseUrl: url, apiKey: secret, projectId })
    const reader = await client.keys.create({ name: 'reader', scopes: ['read', 'admin'] })
    await expect(
      client.keys.create({ name: 'late', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' }),
    ).rejects.toThrow()
    const [late, early] = await client.auditLog.list().all()
    expect(late).toMatchObject({ operation: 'createKey', outcome: 'refused', code: 'INVALID_REQUEST' })
    expect(early).toMatchObject({ outcome: 'done', resourceId: reader.id })
    await change(context, projectId, async () => undefined)
    expect(await client.auditLog.list().all()).toHaveLength(2)
  })

  test('is kept for 400 days, and goes with its project', async () => {
    let offset = 0
    const context = openTestContext(await open({ clockOffset: () => offset }))
    const { url } = await serveContext(context)
    const { projectId, secret } = await addProjectWithKey(context)
    const client = createClient({ baseUrl: url, apiKey: secret, projectId })
    await client.units.create({ type: 'staging', source: 'a.b' })
    const count = async () => (await context.store.db.selectFrom('audit_log').select('id').execute()).length
    offset = 399 * DAY
    await pruneAuditLog(context)
    expect(await count()).toBe(1)
    offset = 401 * DAY
    await pruneAuditLog(context)
    expect(await count()).toBe(0)
    await client.projects.delete(projectId)
    expect(await count()).toBe(0)
  })
})

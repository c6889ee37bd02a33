import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectionHandlers } from '../../packages/service/src/connections/connection-handlers.ts'
import {
  pruneIdempotency,
  storedIdempotency,
} from '../../packages/service/src/idempotency/stored-idempotency.ts'
import { queuedJob } from '../../packages/service/src/jobs/lease.ts'
import { gitSecretOf } from '../../packages/service/src/projects/git-settings.ts'
import { projectHandlers } from '../../packages/service/src/projects/project-handlers.ts'
import { pushHandlers } from '../../packages/service/src/pushes/pushes.ts'
import { addPushed, trimPushed } from '../../packages/service/src/pushes/push-ledger.ts'
import { createHandlers } from '../../packages/service/src/service.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { webhookHandlers } from '../../packages/service/src/webhooks/webhook-handlers.ts'
import { describeEachStore } from './each-store.ts'
import { openShop } from './open-shop.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'

const CONFLICT = { code: 'INVALID_REQUEST', details: { reason: 'version' } }

await describeEachStore('what two do at once', MIGRATIONS, (open) => {
  test('of changes of one version of a project one is made', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const { updateProject } = projectHandlers(context)
    const params = { projectId: caller.projectId }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        updateProject(callOf(caller, { params, ifVersion: 1, body: { name: `Name ${index}` } })),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('changes of different members of a project are all kept', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const { getProject, updateProject } = projectHandlers(context)
    const params = { projectId: caller.projectId }
    const bodies = [{ name: 'Other' }, { dialect: 'snowflake' }, { dbtVersion: '1.8' }, { config: {} }]
    await Promise.all(bodies.map((body) => updateProject(callOf(caller, { params, body }))))
    const { data } = await getProject(callOf(caller, { params }))
    expect(data).toMatchObject({ name: 'Other', dialect: 'snowflake', dbtVersion: '1.8', version: 4 })
  })

  test('nothing of another version is deleted', async () => {
    const shop = await openShop(open)
    const { caller, context } = shop
    const unitId = await shop.addUnit('main.orders')
    const deletion = { params: { unitId }, ifVersion: 2 }
    await expect(shop.handlers.deleteUnit(callOf(caller, deletion))).rejects.toMatchObject(CONFLICT)
    const connections = connectionHandlers(context)
    const { data } = await connections.listConnections(callOf(caller, {}))
    const params = { connectionId: data.items[0]?.id }
    await expect(
      connections.deleteConnection(callOf(caller, { params, ifVersion: 7 })),
    ).rejects.toMatchObject(CONFLICT)
    await connections.getConnection(callOf(caller, { params }))
    const webhooks = webhookHandlers(context)
    const body = {
      url: 'https://example.com/hook',
      events: ['unit.created'],
      secret: '0123456789abcdef0123456789abcdef',
    }
    const webhook = await webhooks.createWebhook(callOf(caller, { body }))
    const webhookKey = { webhookId: webhook.data.id }
    await expect(
      webhooks.deleteWebhook(callOf(caller, { params: webhookKey, ifVersion: 2 })),
    ).rejects.toMatchObject(CONFLICT)
    await webhooks.deleteWebhook(callOf(caller, { params: webhookKey, ifVersion: 1 }))
  })

  test('pushes of the same files that end together both end well', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const place = { project_id: projectId, remote: '/repository', branch: 'main' }
    const paths = Array.from({ length: 200 }, (_, index) => `models/${index}.sql`)
    const sent = new Map(paths.map((path) => [path, 'of before']))
    await context.store.transaction((transaction) => addPushed(transaction, place, sent))
    const pushed = new Map(paths.map((path) => [path, 'the same']))
    const end = () => context.store.transaction((transaction) => trimPushed(transaction, place, pushed))
    await Promise.all(Array.from({ length: 6 }, end))
    const rows = await context.store.db.selectFrom('pushed_files').select('sha256').execute()
    expect(rows).toHaveLength(paths.length)
  })

  test('a generation that completes while its unit is deleted is not told to have failed', async () => {
    const shop = await openShop(open)
    const { caller, context, handlers } = shop
    const unitId = await shop.addUnit('main.orders')
    const { data } = await handlers.createGeneration(callOf(caller, { body: { unitId } }))
    const { db } = context.store
    await db.updateTable('generations').set({ state: 'running', start_published: 1 }).execute()
    const [changed, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const completion = context.store.transaction(async (transaction) => {
      await transaction
        .updateTable('generations')
        .set({ state: 'completed' })
        .where('id', '=', data.id)
        .execute()
      changed.resolve()
      await commit.promise
    })
    await changed.promise
    const deletion = handlers.deleteUnit(callOf(caller, { params: { unitId } }))
    await delay(100)
    commit.resolve()
    await Promise.all([completion, deletion])
    expect((await shop.events()).map(({ event }) => event)).toEqual(['unit.created', 'unit.deleted'])
  })

  test('a unit that is deleted while a generation of it is asked for is not there', async () => {
    const shop = await openShop(open)
    const unitId = await shop.addUnit('main.orders')
    const [deleted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deletion = shop.context.store.transaction(async (transaction) => {
      await transaction.deleteFrom('units').where('id', '=', unitId).execute()
      deleted.resolve()
      await commit.promise
    })
    await deleted.promise
    const generation = shop.handlers.createGeneration(callOf(shop.caller, { body: { unitId } }))
    await delay(100)
    commit.resolve()
    const [, outcome] = await Promise.allSettled([deletion, generation])
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } })
  })

  test('a project that is deleted after the key was checked is not there', async () => {
    const { caller, context } = await openShop(open)
    const handlers = createHandlers(context)
    await handlers.deleteProject(callOf(caller, { params: { projectId: caller.projectId } }))
    const webhook = {
      url: 'https://example.com/hook',
      events: ['unit.created'],
      secret: 'a secret of 20 letters',
    }
    const outcomes = await Promise.allSettled([
      handlers.createUnit(callOf(caller, { body: { type: 'staging', source: 'main.orders' } })),
      handlers.createConnection(
        callOf(caller, { body: { name: 'other', catalog: 'postgres://db.example/shop' } }),
      ),
      handlers.createKey(callOf(caller, { body: { name: 'ci', scopes: ['read'] } })),
      handlers.createWebhook(callOf(caller, { body: webhook })),
      handlers.createAnalysis(callOf(caller, { body: { archive: 'UEsFBg==' } })),
      handlers.createConversation(callOf(caller, { body: {} })),
    ])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
      outcomes.map(() => expect.objectContaining({ code: 'NOT_FOUND' })),
    )
  })

  test('a scan tells how long it took', async () => {
    const shop = await openShop(open)
    shop.work()
    await shop.handlers.createScan(callOf(shop.caller, {}))
    await expect.poll(async () => (await shop.events()).length).toBe(1)
    const [event] = await shop.events()
    expect(event?.data['duration_ms']).toBeGreaterThan(0)
  })

  test('a push that was handed back has begun, and is not cancelled', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const push = { branch: 'b', message: 'm', unit_ids: null, overwrite: 0, dry_run: 0 } as const
    const waiting = {
      ...queuedJob(1),
      project_id: caller.projectId,
      outcome: null,
      commit_id: null,
      files: null,
    }
    await context.store.db
      .insertInto('pushes')
      .values([
        { ...push, ...waiting, id: 'push_1', started_at: 2 },
        { ...push, ...waiting, id: 'push_2' },
      ])
      .execute()
    const cancel = (pushId: string) =>
      pushHandlers(context).cancelPush(callOf(caller, { params: { pushId } }))
    await expect(cancel('push_1')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect((await cancel('push_2')).data.state).toBe('cancelled')
  })

  test('all old answers are forgotten', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    const context = openTestContext(store)
    const first = { holderId: 'key_1', route: 'POST /x', key: 'k', bodyHash: 'h' }
    await storedIdempotency(context).begin(first)
    const row = await store.db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow()
    const rows = Array.from({ length: 2500 }, (_, index) => ({ ...row, key: `k${index}`, token: null }))
    for (let start = 0; start < rows.length; start += 500)
      await store.db
        .insertInto('idempotency_keys')
        .values(rows.slice(start, start + 500))
        .execute()
    offset = 25 * 3_600_000
    await pruneIdempotency(context)
    expect(await store.db.selectFrom('idempotency_keys').select('key').execute()).toEqual([])
  })

  test('credentials that are not given stay beside those that are', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const { updateProject } = projectHandlers(context)
    const key = (text: string) => `-----BEGIN PRIVATE KEY-----\n${btoa(text)}\n-----END PRIVATE KEY-----\n`
    const change = async (remote: string, more: object) => {
      const params = { projectId: caller.projectId }
      await updateProject(callOf(caller, { params, body: { git: { remote, ...more } } }))
      const row = await context.store.db.selectFrom('projects').selectAll().executeTakeFirstOrThrow()
      return gitSecretOf(row, context.cipher)
    }
    const ssh = 'ssh://git@example.com/shop.git'
    await change(ssh, { privateKey: key('one'), knownHosts: 'hosts' })
    const changed = { privateKey: key('two') }
    expect(await change(ssh, changed)).toEqual({ ...changed, knownHosts: 'hosts' })
    const https = 'https://example.com/shop.git'
    expect(await change(https, { token: 'three' })).toEqual({ token: 'three' })
    expect(await change(https, { username: 'ann' })).toEqual({ token: 'three', username: 'ann' })
  })
})

import { checkKeyFormat } from '@stagecraft/http'
import { SCOPES } from '@stagecraft/spec/api'
import { expect, test } from 'vitest'
import {
  createProjectKey,
  keyHandlers,
  listAllKeys,
  revokeAnyKey,
  storedKeys,
} from '../../packages/service/src/keys/keys.ts'
import { ensureFirstProject } from '../../packages/service/src/projects/insert-project.ts'
import { gitSecretOf } from '../../packages/service/src/projects/git-settings.ts'
import { projectHandlers } from '../../packages/service/src/projects/project-handlers.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'

const DAY = 86_400_000

await describeEachStore('keys and projects', MIGRATIONS, (open) => {
  test('a new key opens its project, and the store has only its hash', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const { data } = await keyHandlers(context).createKey(
      callOf(caller, { body: { name: 'ci', scopes: ['read', 'generate'] } }),
    )
    expect(checkKeyFormat(data.secret)).toBe('valid')
    expect(await storedKeys(context).verify(data.secret)).toEqual({
      id: data.id,
      projectId: caller.projectId,
      scopes: ['read', 'generate'],
    })
    const rows = await context.store.db.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(data.secret)
    expect(await storedKeys(context).verify(`${data.secret}x`)).toBeUndefined()
  })

  test('a revoked key opens nothing from then on, in other processes too', async () => {
    const context = openTestContext(await open())
    const other = openTestContext(await open())
    const caller = await addProject(context)
    const { data } = await keyHandlers(context).createKey(
      callOf(caller, { body: { name: 'ci', scopes: ['read'] } }),
    )
    expect(await storedKeys(other).verify(data.secret)).toBeDefined()
    await keyHandlers(context).revokeKey(callOf(caller, { params: { keyId: data.id } }))
    expect(await storedKeys(other).verify(data.secret)).toBeUndefined()
  })

  test('a key that is replaced opens its project for the overlap, and its successor lives as long', async () => {
    let offset = 0
    const context = openTestContext(await open({ clockOffset: () => offset }))
    const caller = await addProject(context)
    const { createKey, listKeys, rotateKey } = keyHandlers(context)
    const now = await context.store.now()
    const expiresAt = new Date(now + 10 * DAY).toISOString()
    const body = { name: 'ci', scopes: ['read'], expiresAt }
    const { data: old } = await createKey(callOf(caller, { body }))
    offset = 2 * DAY
    const rotate = (keyId: string, rest: object = {}) =>
      rotateKey(callOf(caller, { params: { keyId }, ...rest }))
    const { data: next } = await rotate(old.id)
    expect(next).toMatchObject({ name: 'ci', scopes: ['read'] })
    expect(Math.round((Date.parse(next.expiresAt ?? '') - now) / DAY)).toBe(12)
    const opens = async (secret: string) => (await storedKeys(context).verify(secret)) !== undefined
    expect([await opens(old.secret), await opens(next.secret)]).toEqual([true, true])
    offset += DAY + 60_000
    expect([await opens(old.secret), await opens(next.secret)]).toEqual([false, true])
    const { data: last } = await rotate(next.id, { body: { overlapSeconds: 0 } })
    expect([await opens(next.secret), await opens(last.secret)]).toEqual([false, true])

    await expect(rotate(old.id)).rejects.toThrow('expected a key that is active')
    const read = { ...caller, scopes: ['admin'] as const }
    const params = { keyId: last.id }
    await expect(rotateKey(callOf(read, { params }))).rejects.toThrow('scopes of your own key')
    const other = await addProject(context, 'Other')
    await expect(rotateKey(callOf(other, { params }))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await listKeys(callOf(caller, {}))).data.items.filter(({ name }) => name === 'ci')).toHaveLength(
      3,
    )
  })

  test('a key that has expired opens nothing', async () => {
    let offset = 0
    const context = openTestContext(await open({ clockOffset: () => offset }))
    const caller = await addProject(context)
    const expiresAt = new Date((await context.store.now()) + 3_600_000).toISOString()
    const { data } = await keyHandlers(context).createKey(
      callOf(caller, { body: { name: 'ci', scopes: ['read'], expiresAt } }),
    )
    expect(await storedKeys(context).verify(data.secret)).toBeDefined()
    offset = 3_601_000
    expect(await storedKeys(context).verify(data.secret)).toBeUndefined()
    await expect(
      keyHandlers(context).createKey(callOf(caller, { body: { name: 'x', scopes: ['read'], expiresAt } })),
    ).rejects.toThrow('expiresAt: expected a time in the future')
  })

  test('nobody gives a key more than they have', async () => {
    const context = openTestContext(await open())
    const caller = { ...(await addProject(context)), scopes: ['read', 'admin'] }
    await expect(
      keyHandlers(context).createKey(callOf(caller, { body: { name: 'x', scopes: ['read', 'write'] } })),
    ).rejects.toThrow('scopes: expected scopes of your own key: read, admin, got "write"')
  })

  test('the use of a key is noted, to the minute', async () => {
    let offset = 0
    const context = openTestContext(await open({ clockOffset: () => offset }))
    const caller = await addProject(context)
    const { data } = await keyHandlers(context).createKey(
      callOf(caller, { body: { name: 'ci', scopes: ['read'] } }),
    )
    const lastUse = async () => {
      const { data: list } = await keyHandlers(context).listKeys(callOf(caller, { query: { limit: 50 } }))
      return list.items.find(({ id }) => id === data.id)?.lastUsedAt
    }
    expect(await lastUse()).toBeUndefined()
    await storedKeys(context).verify(data.secret)
    await expect.poll(lastUse).toBeDefined()
    const first = await lastUse()
    offset = 61_000
    await storedKeys(context).verify(data.secret)
    await expect.poll(lastUse).not.toBe(first)
  })

  test('keys of another project are not there', async () => {
    const context = openTestContext(await open())
    const [one, other] = [await addProject(context), await addProject(context, 'Other')]
    await expect(
      keyHandlers(context).revokeKey(callOf(one, { params: { keyId: other.keyId } })),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { data } = await keyHandlers(context).listKeys(callOf(one, { query: { limit: 50 } }))
    expect(data.items.map(({ id }) => id)).toEqual([one.keyId])
  })

  test('an operator makes, lists and revokes keys without one', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const request = { name: 'ops', scopes: ['admin'] as const, expiresAt: undefined, projectId: undefined }
    const { row, secret } = await createProjectKey(request, context)
    expect(await storedKeys(context).verify(secret)).toMatchObject({ projectId })
    await revokeAnyKey(row.id, context)
    expect(await storedKeys(context).verify(secret)).toBeUndefined()
    expect(await listAllKeys(context)).toHaveLength(2)
    await addProject(context, 'Other')
    await expect(createProjectKey(request, context)).rejects.toThrow(/project: expected one of .*\(Shop\)/)
    await expect(revokeAnyKey('key_none', context)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a new project comes with a key of its own that opens all of it', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const { data } = await projectHandlers(context).createProject(
      callOf(caller, { body: { name: 'New', dialect: 'snowflake' } }),
    )
    expect(data).toMatchObject({ name: 'New', dialect: 'snowflake', version: 1, config: {} })
    expect(await storedKeys(context).verify(data.key.secret)).toMatchObject({
      projectId: data.id,
      scopes: SCOPES,
    })
    const { data: list } = await projectHandlers(context).listProjects(
      callOf(caller, { query: { limit: 50 } }),
    )
    expect(list.items.map(({ id }) => id)).toEqual([caller.projectId])
  })

  test('git credentials are sealed, stay while the remote does, and go with it', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const patch = (git: object | null) =>
      projectHandlers(context).updateProject(callOf(caller, { body: { git } }))
    const remote = 'https://git.example.com/analytics.git'
    const row = () => context.store.db.selectFrom('projects').selectAll().executeTakeFirstOrThrow()
    const { data } = await patch({ remote, token: 'hunter2' })
    expect(data.git).toEqual({ remote, hasCredentials: true })
    expect(JSON.stringify(await row())).not.toContain('hunter2')
    await patch({ remote, authorName: 'Ann' })
    expect(gitSecretOf(await row(), context.cipher)).toEqual({ token: 'hunter2' })
    const { data: moved } = await patch({ remote: 'https://other.example.com/analytics.git' })
    expect(moved.git).toMatchObject({ hasCredentials: false })
    expect((await patch(null)).data.git).toBeUndefined()
  })

  test('a change counts once, and one of an old version is refused', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const { updateProject } = projectHandlers(context)
    const { data } = await updateProject(callOf(caller, { body: { name: 'Store' }, ifVersion: 1 }))
    expect(data).toMatchObject({ name: 'Store', version: 2 })
    expect((await updateProject(callOf(caller, { body: { name: 'Store' } }))).data.version).toBe(2)
    await expect(updateProject(callOf(caller, { body: { name: 'X' }, ifVersion: 1 }))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { reason: 'version' },
    })
  })

  test('a dbt version that is none, and a foreign connection, are refused', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const { updateProject } = projectHandlers(context)
    await expect(updateProject(callOf(caller, { body: { dbtVersion: 'soon' } }))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
    await expect(updateProject(callOf(caller, { body: { connectionId: 'conn_1' } }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { faults: [{ path: 'connectionId', expected: 'an id of this project' }] },
    })
  })

  test('a deleted project leaves nothing behind', async () => {
    const context = openTestContext(await open())
    const [caller, other] = [await addProject(context), await addProject(context, 'Other')]
    await projectHandlers(context).deleteProject(callOf(caller, {}))
    const keys = await context.store.db.selectFrom('api_keys').select('project_id').execute()
    expect(keys).toEqual([{ project_id: other.projectId }])
    await expect(projectHandlers(context).getProject(callOf(caller, {}))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('of several processes that begin at once, one makes the first project', async () => {
    const contexts = await Promise.all(Array.from({ length: 4 }, async () => openTestContext(await open())))
    const made = await Promise.all(
      contexts.map((context) => ensureFirstProject({ name: 'First', key: 'sk_chosen_by_somebody' }, context)),
    )
    expect(made.filter((one) => one !== undefined)).toHaveLength(1)
    const [context] = contexts
    expect(context && (await storedKeys(context).verify('sk_chosen_by_somebody'))).toBeDefined()
  })
})

import { describe, expect, test, type TestContext } from 'vitest'
import { freshName } from './ask.ts'
import { expectSuccess } from './expect-envelope.ts'
import { scanProject } from './find-source.ts'
import { subscribe } from './hook.ts'
import { pushSomewhere } from './push-somewhere.ts'
import type { UseSession } from './session.ts'
import { until } from './until.ts'

/** §6.1: which operation emits which event. */
export function eventTests(use: UseSession): void {
  const units = () => `/v1/projects/${use().projectId}/units`
  const generations = () => `/v1/projects/${use().projectId}/generations`
  const createUnit = (source: string) => use().create(units(), { type: 'staging', source })
  const hookFor = (context: TestContext, event: string) => subscribe(context, use(), { events: [event] })

  describe('§6.1 event kinds', () => {
    test('§6.1 unit.created: a new unit was created', async (context) => {
      const hook = await hookFor(context, 'unit.created')
      const { id, name } = await createUnit(`${freshName('schema')}.orders`)
      const { body } = await hook.next('unit.created', ({ unit_id }) => unit_id === id)
      expect(body.data).toMatchObject({ unit_name: name, unit_type: 'staging' })
    })

    test("§6.1 unit.updated: a unit's configuration was updated", async (context) => {
      const hook = await hookFor(context, 'unit.updated')
      const { id } = await createUnit(`${freshName('schema')}.orders`)
      const options = { addTests: true }
      expectSuccess(await use().ask(`PATCH ${units()}/${String(id)}`, { body: { options } }))
      const { body } = await hook.next('unit.updated', ({ unit_id }) => unit_id === id)
      expect(body.data['options']).toEqual(options)
    })

    test('§6.1 unit.deleted: a unit was deleted', async (context) => {
      const hook = await hookFor(context, 'unit.deleted')
      const { id } = await createUnit(`${freshName('schema')}.orders`)
      expectSuccess(await use().ask(`DELETE ${units()}/${String(id)}`))
      await hook.next('unit.deleted', ({ unit_id }) => unit_id === id)
    })

    test('§6.1 generation.started, generation.completed: by POST /generate', async (context) => {
      const { ask, source } = use()
      const hook = await subscribe(context, use(), { events: ['generation.started', 'generation.completed'] })
      expectSuccess(await ask('POST /generate', { body: { type: 'staging', source } }))
      const query = `type=staging&source=${encodeURIComponent(source)}`
      const { items } = expectSuccess(await ask(`GET ${units()}?${query}`))
      const [{ id }] = items as [{ readonly id: string }]
      const { body: started } = await hook.next('generation.started', ({ unit_id }) => unit_id === id)
      const { body: completed } = await hook.next('generation.completed', ({ unit_id }) => unit_id === id)
      expect(completed.created_at >= started.created_at).toBe(true)
    })

    test('§6.1 generation.failed: code generation encountered an error', async (context) => {
      const { ask } = use()
      const hook = await hookFor(context, 'generation.failed')
      const { id: unitId } = await createUnit(`${freshName('no_such_schema')}.orders`)
      const { id } = expectSuccess(await ask(`POST ${generations()}`, { body: { unitId } }), 202)
      const { body } = await hook.next('generation.failed', ({ unit_id }) => unit_id === unitId, 15)
      const { error, state } = expectSuccess(await ask(`GET ${generations()}/${String(id)}`))
      expect(state).toBe('failed')
      expect(body.data['error']).toMatchObject({ code: (error as { code: string }).code })
    })

    test('§6.1 scan.completed: a schema scan finished', async (context) => {
      const hook = await hookFor(context, 'scan.completed')
      const { id, state } = await scanProject(use().ask, use().projectId)
      expect(state).toBe('completed')
      await hook.next('scan.completed', ({ scan_id }) => scan_id === id)
    })

    test('§6.1 push.completed: code was pushed to a Git repository', async (context) => {
      const { ask, projectId, source } = use()
      const hook = await hookFor(context, 'push.completed')
      expectSuccess(await ask('POST /generate', { body: { type: 'staging', source } }))
      const { push, readHead } = await pushSomewhere(context, use())
      const { body } = await hook.next('push.completed', ({ push_id }) => push_id === push['id'])
      expect(body.project_id).toBe(projectId)
      expect(body.data['commit']).toBe(await readHead())
    })
  })
}

/** §2.5 and §6.2, of the event that the contract has a payload for. */
export function completedTests(use: UseSession): void {
  const complete = async (context: TestContext) => {
    const { ask, source } = use()
    const hook = await subscribe(context, use(), { events: ['generation.completed'] })
    const { id } = await use().create(`/v1/projects/${use().projectId}/units`, {
      type: 'base',
      source,
      name: freshName('Größe ✓'),
    })
    const generations = `/v1/projects/${use().projectId}/generations`
    const made = expectSuccess(await ask(`POST ${generations}`, { body: { unitId: id } }), 202)
    const generation = await until(
      async () => {
        const now = expectSuccess(await ask(`GET ${generations}/${String(made['id'])}`))
        return now['state'] === 'completed' ? now : undefined
      },
      { what: 'the end of the generation', seconds: 40 },
    )
    const { body, delivery } = await hook.next('generation.completed', ({ unit_id }) => unit_id === id)
    return { body, delivery, generation, id, path: `${generations}/${String(made['id'])}` }
  }

  test('§2.5 §6.2 generation.completed: data has these members, in this order, and no other', async (context) => {
    const { ask, projectId } = use()
    const { body, generation, id, path } = await complete(context)
    expect(Object.keys(body)).toEqual(['id', 'event', 'created_at', 'project_id', 'data'])
    expect(body.project_id).toBe(projectId)
    expect(Object.keys(body.data)).toEqual([
      'unit_id',
      'unit_name',
      'unit_type',
      'files_generated',
      'duration_ms',
    ])
    const { duration_ms: duration, files_generated, unit_id, unit_name, unit_type } = body.data
    expect(unit_id).toBe(id)
    expect(unit_name).toMatch(/^Größe ✓_/)
    expect(unit_type).toBe('base')
    expect(Number.isInteger(duration) && Number(duration) >= 0).toBe(true)
    const files = files_generated as readonly { readonly path: string; readonly lines: number }[]
    expect(files).toEqual(generation['files'])
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      expect(Object.keys(file)).toEqual(['path', 'lines'])
      const { text } = await ask(`GET ${path}/files/${file.path}`)
      expect(text.replace(/\n$/, '').split('\n')).toHaveLength(file.lines)
    }
  })
}

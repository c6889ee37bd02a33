import { setImmediate as turn } from 'node:timers/promises'
import { queryableProject, type QueryableProject, chooseTools, publicTree } from '@stagecraft/assistant'
import { memoryTree } from '@stagecraft/dbt'
import { expect, onTestFinished, test } from 'vitest'
import { viewProject } from './view-project.ts'
import type { ProjectTask } from './project-task.ts'
import { ProjectThread } from './project-thread.ts'

const signal = new AbortController().signal
const LIMITS = { timeMs: 600_000, memoryMb: 1024 }

/** A project of models that read one another, each with a column that has no test. */
function filesOf(count: number): Readonly<Record<string, string>> {
  const models = Array.from({ length: count }, (_, index) => {
    const before = index === 0 ? "{{ source('shop', 'orders') }}" : `{{ ref('model_${index - 1}') }}`
    return [`models/model_${index}.sql`, `select id, amount as amount from ${before}\n`] as const
  })
  return {
    'dbt_project.yml': 'name: shop\n',
    'models/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
    ...Object.fromEntries(models),
  }
}

function taskOf(files: Readonly<Record<string, string>>): ProjectTask {
  const encoder = new TextEncoder()
  return {
    projectId: 'proj_1',
    files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)])),
    folder: '',
    settings: { name: 'Shop', dialect: 'duckdb', config: {} },
    tables: undefined,
  }
}

function openThread(task: ProjectTask, limits = LIMITS): QueryableProject {
  const thread = new ProjectThread(task, limits)
  onTestFinished(() => thread.retire())
  return thread.projectFor({ signal, table: () => Promise.resolve(undefined) })
}

const [check] = chooseTools({ names: ['check_project'] })

async function findings(project: QueryableProject): Promise<unknown> {
  return check && project.call(check, { limit: 5 })
}

test('answers in a thread as in place', async () => {
  const task = taskOf(filesOf(3))
  const here = queryableProject(await viewProject(publicTree(memoryTree(task.files)), task))
  const apart = openThread(task)
  const answer = await findings(apart)
  expect(answer).toEqual(await findings(here))
  expect(answer).toMatchObject({ untrusted: true })
  const question = 'Where is model_1 used?'
  expect(await apart.compute(question)).toEqual(await here.compute(question))
  const places = [
    { file: 'models/model_0.sql', line: 1 },
    { file: 'models/gone.sql', line: 1 },
  ]
  expect(await apart.lines(places)).toEqual([filesOf(1)['models/model_0.sql']?.trim(), undefined])
  await expect(apart.finding('none')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  await expect(apart.compute('Why?')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test('a project that cannot be read fails each question with the reason', async () => {
  const project = openThread(taskOf({ ...filesOf(1), 'stagecraft.yml': 'lint: 7\n' }))
  for (let asked = 0; asked < 2; asked += 1)
    await expect(findings(project)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test('a question about a large project holds up nothing else', async () => {
  const task = taskOf(filesOf(200))
  const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
    const state = { isDone: false }
    const done = work().finally(() => (state.isDone = true))
    let turns = 0
    while (!state.isDone) {
      await turn()
      turns += 1
    }
    await done
    return turns
  }
  const here = await turnsDuring(async () =>
    findings(queryableProject(await viewProject(publicTree(memoryTree(task.files)), task))),
  )
  const apart = await turnsDuring(() => findings(openThread(task)))
  expect(apart).toBeGreaterThan(here * 20)
})

test('a question at its limit of time ends the thread, and the next one begins another', async () => {
  const task = taskOf(filesOf(20))
  const short = openThread(task, { ...LIMITS, timeMs: 1 })
  await expect(findings(short)).rejects.toMatchObject({
    code: 'GENERATION_FAILED',
    details: { reason: 'too_long' },
  })
  await expect(findings(short)).rejects.toMatchObject({ details: { reason: 'too_long' } })
})

test('an asker that gives up does not disturb the others', async () => {
  const thread = new ProjectThread(taskOf(filesOf(20)), LIMITS)
  onTestFinished(() => thread.retire())
  const table = (): Promise<undefined> => Promise.resolve(undefined)
  const stop = new AbortController()
  const stopped = findings(thread.projectFor({ signal: stop.signal, table }))
  const other = findings(thread.projectFor({ signal, table }))
  stop.abort(new Error('cancelled'))
  await expect(stopped).rejects.toThrow('cancelled')
  expect(await other).toMatchObject({ untrusted: true })
})

test('a thread that was retired ends when it has answered, and answers who still has it', async () => {
  const thread = new ProjectThread(taskOf(filesOf(2)), LIMITS)
  const project = thread.projectFor({ signal, table: () => Promise.resolve(undefined) })
  const answer = findings(project)
  await thread.retire()
  expect(await answer).toMatchObject({ untrusted: true })
  expect(await findings(project)).toEqual(await answer)
})

test('a proposal that is refused outside fails with that reason, and the thread goes on', async () => {
  const project = openThread(taskOf(filesOf(2)))
  const [propose] = chooseTools({ names: ['propose_properties'] })
  const edits = { edits: [{ id: 'model_1', description: 'One row per order.' }] }
  const keep = (): Promise<never> => Promise.reject(new Error('the lease is lost'))
  const refused = propose && project.call(propose, edits, { proposals: { keep } })
  await expect(refused).rejects.toThrow('the lease is lost')
  expect(await findings(project)).toMatchObject({ untrusted: true })
})

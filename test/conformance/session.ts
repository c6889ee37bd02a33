import { type Ask, askOf, freshName } from './ask.ts'
import { expectSuccess } from './expect-envelope.ts'
import { findSource } from './find-source.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import type { Target } from './target.ts'

/** A project of its own, and its key. */
export interface OwnProject {
  readonly id: string
  readonly key: string
}

/** One run against a service. What it makes there is gone after it. */
export interface Session {
  readonly target: Target
  readonly ask: Ask
  readonly receiver: Receiver
  /** The project of the key. */
  readonly projectId: string
  /** A table that can be generated, and that tests are known for. */
  readonly source: string
  /** Makes a resource that `DELETE path/id` deletes again. */
  readonly create: (path: string, body: object, key?: string) => Promise<Readonly<Record<string, unknown>>>
  /** A key of the project with these scopes alone. */
  readonly keyWith: (...scopes: readonly string[]) => Promise<string>
  readonly ownProject: () => Promise<OwnProject>
  readonly close: () => Promise<void>
}

/** How tests get at the session, which is open before the first of them. */
export type UseSession = () => Session

export async function openSession(target: Target): Promise<Session> {
  const ask = askOf(target)
  const { items } = expectSuccess(await ask('GET /v1/projects'))
  const [{ id: projectId }] = items as [{ id: string }]
  const made: (() => Promise<unknown>)[] = []
  const create: Session['create'] = async (path, body, key = target.key) => {
    const data = expectSuccess(await ask(`POST ${path}`, { body, key }), 201)
    made.unshift(() => ask(`DELETE ${path}/${String(data['id'])}`, { key }))
    return data
  }
  const source = target.source ?? (await findSource(ask, projectId))
  made.push(await unitRemoval(ask, { projectId, source }))
  const receiver = await openReceiver(target)
  return {
    target,
    ask,
    receiver,
    projectId,
    source,
    create,
    async keyWith(...scopes) {
      const path = `/v1/projects/${projectId}/keys`
      return String((await create(path, { name: freshName('conformance'), scopes }))['secret'])
    },
    async ownProject() {
      const answer = await ask('POST /v1/projects', { body: { name: freshName('conformance') } })
      const { id, key } = expectSuccess(answer, 201) as { id: string; key: { secret: string } }
      made.push(() => ask(`DELETE /v1/projects/${id}`, { key: key.secret }))
      return { id, key: key.secret }
    },
    async close() {
      for (const remove of made) await remove()
      await receiver.close()
    },
  }
}

interface UnitOf {
  readonly projectId: string
  readonly source: string
}

/** Generating makes the unit of its source; one that was there before stays. */
async function unitRemoval(ask: Ask, { projectId, source }: UnitOf): Promise<() => Promise<unknown>> {
  const path = `/v1/projects/${projectId}/units`
  const list = async () => {
    const { items } = expectSuccess(await ask(`GET ${path}?source=${encodeURIComponent(source)}`))
    return (items as readonly { readonly id: string }[]).map(({ id }) => id)
  }
  const before = await list()
  return async () => {
    for (const id of await list()) if (!before.includes(id)) await ask(`DELETE ${path}/${id}`)
  }
}

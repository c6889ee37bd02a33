import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestContext } from 'vitest'
import { expectSuccess } from './expect-envelope.ts'
import { notRun } from './not-run.ts'
import type { Session } from './session.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const BRANCH = 'conformance'

export interface Pushed {
  readonly push: Readonly<Record<string, unknown>>
  /** The commit that the branch of the repository is at. */
  readonly readHead: () => Promise<string>
}

/** Pushes to a new bare repository of this machine, if the project has no other and the service may use it. */
export async function pushSomewhere(context: TestContext, session: Session): Promise<Pushed> {
  const { ask, projectId } = session
  const path = `/v1/projects/${projectId}`
  const { git } = expectSuccess(await ask(`GET ${path}`))
  if (git !== undefined) notRun(context, session, 'the project pushes to a repository of its own')
  const remote = await mkdtemp(join(tmpdir(), 'stagecraft-conformance-'))
  context.onTestFinished(() => rm(remote, { recursive: true }))
  await run('git', ['init', '--quiet', '--bare', remote])
  const changed = await ask(`PATCH ${path}`, { body: { git: { remote } } })
  if (changed.status === 400) {
    const why = String(changed.envelope.error.message)
    notRun(context, session, `the service does not push to repositories of this machine (${why})`)
  }
  expectSuccess(changed)
  context.onTestFinished(async () => void (await ask(`PATCH ${path}`, { body: { git: null } })))
  const body = { branch: BRANCH, message: 'Staging models' }
  const { id } = expectSuccess(await ask(`POST ${path}/pushes`, { body }), 202)
  const push = await until(
    async () => {
      const now = expectSuccess(await ask(`GET ${path}/pushes/${String(id)}`))
      if (now['state'] === 'failed') throw new Error(`the push failed: ${JSON.stringify(now['error'])}`)
      return now['state'] === 'completed' ? now : undefined
    },
    { what: 'the end of the push', seconds: 40 },
  )
  const readHead = async () => (await run('git', ['-C', remote, 'rev-parse', BRANCH])).stdout.trim()
  return { push, readHead }
}

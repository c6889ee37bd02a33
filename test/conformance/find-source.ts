import type { Ask } from './ask.ts'
import { expectSuccess } from './expect-envelope.ts'
import { until } from './until.ts'

const MOST_TRIED = 20

/** Scans the default connection of a project. */
export async function scanProject(ask: Ask, projectId: string): Promise<Readonly<Record<string, unknown>>> {
  const path = `/v1/projects/${projectId}/scans`
  const { id } = expectSuccess(await ask(`POST ${path}`, { body: {} }), 202)
  const finished = async () => {
    const scan = expectSuccess(await ask(`GET ${path}/${String(id)}`))
    return ['completed', 'failed', 'cancelled'].includes(String(scan['state'])) ? scan : undefined
  }
  return await until(finished, { what: 'the end of a scan', seconds: 60 })
}

/** A table that a scan finds and that tests are known for. */
export async function findSource(ask: Ask, projectId: string): Promise<string> {
  const scan = await scanProject(ask, projectId)
  if (scan['state'] !== 'completed')
    throw new Error(`the scan ended as ${JSON.stringify(scan)}; use --source`)
  const { items } = expectSuccess(await ask(`GET /v1/projects/${projectId}/sources?limit=${MOST_TRIED}`))
  for (const { name } of items as readonly { readonly name: string }[]) {
    const body = { type: 'staging', source: name, options: { addTests: true, addDocs: true } }
    const { envelope, status } = await ask('POST /generate', { body })
    const tests = status === 200 ? envelope.data['tests'] : []
    if (Array.isArray(tests) && tests.length > 0) return name
  }
  throw new Error('no table of the connection has tests that are known; name one with --source')
}

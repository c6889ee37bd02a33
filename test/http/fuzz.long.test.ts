import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { API_OPERATIONS } from '@stagecraft/spec/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithServer, postgresServer } from '../servers.ts'
import { createDatabase, type OwnDatabase } from '../service/own-database.ts'
import { newAdminKey, type RunningService, startService } from '../service/start-service.ts'
import { answerChecker, type ExpectDocumented } from './fuzz/answer-checker.ts'
import { type FuzzDocument, type Route, routesOf } from './fuzz/document.ts'
import { createFuzzProject, type FuzzProject, learn } from './fuzz/fuzz-project.ts'
import { type FuzzRequest, requestOf } from './fuzz/requests.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122)

/** Each with what it can find of the others; what takes away comes last, and the project after all that it holds. */
const OPERATIONS = ['generate', ...Object.keys(API_OPERATIONS)].toSorted(
  (one, other) => rank(one) - rank(other),
)

function rank(operationId: string): number {
  return (
    ['deleteConnection', 'revokeKey', 'deleteProject'].indexOf(operationId) + (isRemoval(operationId) ? 2 : 1)
  )
}

function isRemoval(operationId: string): boolean {
  return /^(?:delete|revoke)/.test(operationId)
}

/** The text of an answer; of a stream, which has no end, the beginning. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return await response.text()
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

/** On either engine, because they differ in the texts that they take. */
function fuzz(server?: string): void {
  const adminKey = newAdminKey()
  let folder: string
  let service: RunningService
  let database: OwnDatabase | undefined
  let document: FuzzDocument
  let routes: readonly Route[]
  let expectDocumented: ExpectDocumented
  let project: FuzzProject
  const succeeded = new Set<string>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stagecraft-fuzz-'))
    database = server === undefined ? undefined : await createDatabase(server)
    service = await startService({
      adminKey,
      folder,
      flags: ['--rate-limit', '0', '--deadline', '5'],
      ...(database && { databaseUrl: database.url }),
    })
    document = (await (await fetch(`${service.apiUrl}/openapi.json`)).json()) as FuzzDocument
    routes = routesOf(document)
    expectDocumented = answerChecker(document)
    project = await createFuzzProject(service, { adminKey, folder })
  })

  afterAll(async () => {
    await service?.stop()
    await database?.drop()
    await rm(folder, { recursive: true })
  })

  const send = async ({ body, headers, method, url }: FuzzRequest) => {
    const response = await fetch(`${service.apiUrl}${url}`, {
      method,
      headers: { authorization: `Bearer ${project.key}`, ...headers },
      ...(body !== undefined && method !== 'GET' && { body: new TextEncoder().encode(body) }),
    })
    return { status: response.status, headers: response.headers, text: await textOf(response) }
  }

  /** The request may have deleted the project, or its key. */
  const renew = async () => {
    const { status } = await send({ method: 'GET', url: '/v1/projects', headers: {}, body: undefined })
    if (status !== 200) project = await createFuzzProject(service, { adminKey, folder })
  }

  test('every operation of the document is fuzzed', () => {
    const keyed = routes.filter(({ security = [] }) => security.length > 0)
    const documented = new Set(routes.map(({ operationId }) => operationId))
    expect(keyed.map(({ operationId }) => operationId).filter((id) => !OPERATIONS.includes(id))).toEqual([])
    expect(OPERATIONS.filter((id) => !documented.has(id))).toEqual([])
  })

  test.each(OPERATIONS)(
    '%s answers as documented, whatever is sent',
    async (operationId) => {
      const route = routes.find((candidate) => candidate.operationId === operationId)
      if (!route) throw new Error(`the document has no operation ${operationId}`)
      await renew()
      const requests = requestOf(route, { schemas: document.components.schemas, known: project.known })
      const property = fc.asyncProperty(requests, async (request) => {
        const answer = await send(request)
        expectDocumented(answer, route)
        if (answer.status < 300) succeeded.add(operationId)
        learn(answer.text, project)
        if (isRemoval(operationId) && answer.status === 200) await renew()
      })
      await fc.assert(property, { numRuns: RUNS, seed: SEED })
    },
    30_000 + RUNS * 1000,
  )

  test('requests get through to most operations', () => {
    expect(succeeded.size).toBeGreaterThan(OPERATIONS.length / 2)
  })
}

const NAME = `FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`

describe(`fuzzing (sqlite, ${NAME})`, () => {
  fuzz()
})

const server = await postgresServer()
describeWithServer(`fuzzing (postgres, ${NAME})`, server, () => {
  fuzz(server.url)
})

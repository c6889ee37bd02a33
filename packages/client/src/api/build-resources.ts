import type { JobState, Operation, OperationId } from '@stagecraft/spec/api'
import {
  callOperation,
  isInProject,
  loadOperations,
  type Service,
  streamOperation,
} from './call-operation.ts'
import { namesInPath } from './fill-path.ts'
import { createList, type Page } from './list.ts'
import type { AnyAnswer } from './operation-answer.ts'
import type { AnyInput } from './operation-input.ts'
import type { Resources } from './resource-methods.ts'
import { RESOURCES, type ResourceTable, type Row } from './resources.ts'
import { pause } from '../transport/pause.ts'

type RowsOf<Table> = {
  readonly [Resource in keyof Table]: Table[Resource][keyof Table[Resource]]
}[keyof Table]
type Placed<One> = One extends string
  ? One
  : One extends { readonly pages: infer Id }
    ? Id
    : One extends { readonly streams: infer Id }
      ? Id
      : never
type Unplaced = Exclude<OperationId, Placed<RowsOf<ResourceTable>>>
type Complete = [Unplaced] extends [never] ? ResourceTable : { readonly withoutRow: Unplaced }

/** Creates the methods of every resource. An operation without a row in `RESOURCES` does not compile here. */
export function buildResources(service: Service): Resources {
  const table: Readonly<Record<string, Readonly<Record<string, Row>>>> = RESOURCES satisfies Complete
  const resources = Object.entries(table).map(([resource, rows]) => {
    const methods = Object.entries(rows).map(([name, row]) => [name, toMethod(row, service)])
    return [resource, Object.fromEntries(methods)] as const
  })
  // The only place where the table gets its types.
  return Object.fromEntries(resources) as Resources
}

function toMethod(row: Row, service: Service): (...parameters: readonly unknown[]) => unknown {
  if (typeof row === 'string')
    return async (...parameters) => (await callPlaced(row, parameters, service)).data
  if ('pages' in row)
    return (...parameters) =>
      createList({
        host: service.settings.api.host,
        getPage: async (cursor) => toPage(await callPlaced(row.pages, parameters, { ...service, cursor })),
      })
  if ('streams' in row) return (...parameters) => streamPlaced(row.streams, parameters, service)
  return async (...parameters) => {
    const { signal } = toInput(parameters, (await loadOperations())[row.waits])
    return wait(
      async () => (await callPlaced(row.waits, parameters, service)).data as { state: string },
      signal,
    )
  }
}

async function* streamPlaced(
  id: OperationId,
  parameters: readonly unknown[],
  service: Service,
): AsyncGenerator {
  const input = toInput(parameters, (await loadOperations())[id])
  yield* streamOperation(id, input, service)
}

interface PlacedService extends Service {
  /** The page of a list to get. */
  readonly cursor?: string | undefined
}

async function callPlaced(
  id: OperationId,
  parameters: readonly unknown[],
  { cursor, ...service }: PlacedService,
): Promise<AnyAnswer> {
  const input = toInput(parameters, (await loadOperations())[id])
  const query = cursor === undefined ? input.query : { ...input.query, cursor }
  return callOperation(id, { ...input, query }, service)
}

/** Converts the parameters of a method to the input of its operation. */
function toInput(parameters: readonly unknown[], operation: Operation): AnyInput {
  const names = namesInPath(operation.path).slice(isInProject(operation) ? 1 : 0)
  const params = Object.fromEntries(names.map((name, index) => [name, parameters[index] as string]))
  const rest = parameters.slice(names.length)
  const body = operation.body ? rest.shift() : undefined
  const query = operation.query ? (rest.shift() as object | undefined) : undefined
  // Copied one by one: an AbortController counts as options too, and its `signal` is not an own property.
  const { idempotencyKey, ifMatch, projectId, signal } = (rest[0] ?? {}) as AnyInput
  return { params, body, query, idempotencyKey, ifMatch, projectId, signal }
}

function toPage({ data, meta }: AnyAnswer): Page<unknown> {
  const { items } = data as { readonly items: readonly unknown[] }
  // Every answer except a file has `meta`.
  if (!meta) throw new TypeError('expected a page of a list')
  return { items, nextCursor: meta.nextCursor, meta }
}

const ENDED: ReadonlySet<string> = new Set<JobState>(['completed', 'failed', 'cancelled'])

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000

/**
 * Polls a job until it has ended, first after a quarter of a second, finally every five seconds.
 *
 * @throws The error of a request; the signal's reason as soon as it aborts.
 */
async function wait<Job extends { readonly state: string }>(
  getJob: () => Promise<Job>,
  signal: AbortSignal | undefined,
): Promise<Job> {
  for (let milliseconds = FIRST_PAUSE_MS; ; milliseconds *= 1.5) {
    const job = await getJob()
    if (ENDED.has(job.state)) return job
    await pause(Math.min(milliseconds, LONGEST_PAUSE_MS), signal)
  }
}

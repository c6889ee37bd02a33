import type { OperationId } from '@stagecraft/spec/api'
import { callOperation, loadOperations, type Service, streamOperation } from './call-operation.ts'
import { createList, type Page } from './list.ts'
import type { AnyAnswer } from './operation-answer.ts'
import type { Resources } from './resource-methods.ts'
import { RESOURCES, type ResourceTable, type Row } from './resources.ts'
import { toInput } from './to-input.ts'
import { wait } from './wait.ts'

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

/** The methods of every resource. An operation without a row in `RESOURCES` does not compile here. */
export function buildResources(service: Service): Resources {
  const table: Readonly<Record<string, Readonly<Record<string, Row>>>> = RESOURCES satisfies Complete
  const resources = Object.entries(table).map(([resource, rows]) => {
    const methods = Object.entries(rows).map(([name, row]) => [name, toMethod(row, service)])
    return [resource, Object.fromEntries(methods)] as const
  })
  // The one place where the table becomes what its types say.
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
  /** Of a list: the page to get. */
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

function toPage({ data, meta }: AnyAnswer): Page<unknown> {
  const { items } = data as { readonly items: readonly unknown[] }
  // Every answer but a file has its `meta`.
  if (!meta) throw new TypeError('expected the answer of a list')
  return { items, nextCursor: meta.nextCursor, meta }
}

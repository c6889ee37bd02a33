// A service that answers every operation with what its schema allows.
import { API_OPERATIONS, type Operation, type OperationId } from '@stagecraft/spec/api'
import { sample, type SampleOptions } from './sample.ts'
import { type Reply, send, startStub, success } from './stub.ts'

const OPERATIONS: readonly (readonly [string, Operation])[] = Object.entries(API_OPERATIONS)

/** Which operation a request is for. */
export function operationOf(method: string | undefined, url: string | undefined): OperationId {
  const [path = ''] = (url ?? '').split('?')
  const found = OPERATIONS.filter(
    ([, operation]) => operation.method === method && toPattern(operation.path).test(path),
  )
  if (found.length !== 1) throw new Error(`expected one operation for ${method} ${path}, got ${found.length}`)
  return found[0]?.[0] as OperationId
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\*\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

export const FILE = '﻿select 1 -- é'
export const ARCHIVE = new Uint8Array([80, 75, 0, 255])

export function answer(options: SampleOptions): Reply {
  return (response, request) => {
    const operation: Operation = API_OPERATIONS[operationOf(request.method, request.url)]
    if (operation.message) {
      const data = sample(operation.message.toJSONSchema() as object, options)
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      response.write(`retry: 1\n\nid: 1\ndata: ${JSON.stringify(data)}\n\n`)
      return
    }
    if (operation.media !== undefined) {
      response.writeHead(200, { 'content-type': operation.media })
      response.end(operation.media.startsWith('text/') ? FILE : ARCHIVE)
      return
    }
    const data = operation.data && sample(operation.data.toJSONSchema() as object, options)
    send(operation.status ?? 200, success(data), { 'content-type': 'application/json' })(response, request)
  }
}

export const startApi = (options: SampleOptions = { isWhole: false }) => startStub(answer(options))

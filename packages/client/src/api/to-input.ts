import type { Operation } from '@stagecraft/spec/api'
import { isInProject } from './call-operation.ts'
import { namesInPath } from './fill-path.ts'
import type { AnyInput } from './operation-input.ts'

/** The parameters of a method as the input of its operation. */
export function toInput(parameters: readonly unknown[], operation: Operation): AnyInput {
  const names = namesInPath(operation.path).slice(isInProject(operation) ? 1 : 0)
  const params = Object.fromEntries(names.map((name, index) => [name, parameters[index] as string]))
  const rest = parameters.slice(names.length)
  const body = operation.body ? rest.shift() : undefined
  const query = operation.query ? (rest.shift() as object | undefined) : undefined
  // One by one: an AbortController is options too, and its `signal` no member of its own.
  const { idempotencyKey, ifMatch, projectId, signal } = (rest[0] ?? {}) as AnyInput
  return { params, body, query, idempotencyKey, ifMatch, projectId, signal }
}

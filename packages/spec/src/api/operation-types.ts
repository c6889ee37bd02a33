import type { z } from 'zod'
import type { Operation, ParameterOf } from './operation.ts'

/** The parameters in the path of an operation. */
export type OperationParams<One extends Operation> = {
  readonly [Name in ParameterOf<One['path']>]: string
}

/** The query as a program gives it: numbers are numbers, and what has a default may be left out. */
export type OperationQuery<One extends Operation> = One extends {
  readonly query: infer Query extends z.ZodObject
}
  ? { readonly [Name in keyof z.input<Query>]: z.output<Query>[Name & keyof z.output<Query>] }
  : undefined

/** The body as a program gives it. */
export type OperationBody<One extends Operation> = One extends { readonly body: infer Body extends z.ZodType }
  ? z.input<Body>
  : undefined

/** `data` of the answer; undefined where it is bytes. */
export type OperationData<One extends Operation> = One extends { readonly data: infer Data extends z.ZodType }
  ? z.output<Data>
  : undefined

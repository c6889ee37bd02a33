/** What of an OpenAPI document is read here. */
export interface FuzzDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, FuzzOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, FuzzAnswer>>
  }
}

interface FuzzOperation {
  readonly security?: readonly object[]
  readonly operationId: string
  readonly parameters?: readonly FuzzParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, FuzzAnswer>>
}

export interface FuzzParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
}

export interface FuzzAnswer {
  readonly $ref?: string
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** The keywords that the document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
}

/** An operation with its address. */
export interface Route extends FuzzOperation {
  readonly method: string
  readonly path: string
}

/** Every operation of a document. */
export function routesOf({ paths }: FuzzDocument): readonly Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  )
}

/** What an answer of a status should be; undefined for one that is not documented. */
export function answerOf(route: Route, status: number, document: FuzzDocument): FuzzAnswer | undefined {
  const answer = route.responses[String(status)]
  const name = answer?.$ref?.replace('#/components/responses/', '')
  return name === undefined ? answer : document.components.responses[name]
}

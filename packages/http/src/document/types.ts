import type { Schema } from './schemas.ts'

/** The parts of a document that this package reads again; the document is plain JSON. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Paths
  readonly webhooks?: Paths
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, DocumentedAnswer>>
    readonly [part: string]: unknown
  }
  readonly [part: string]: unknown
}

export type Paths = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>

export interface DocumentedOperation {
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly deprecated?: true
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, DocumentedAnswer>>
  readonly [part: string]: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

/** A response, or a reference to a shared one. */
export interface DocumentedAnswer {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: object
  readonly content?: Readonly<Record<string, Media>>
}

export interface Media {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

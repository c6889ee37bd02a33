import { Validator } from '@seriousme/openapi-schema-validator'
import { createDocument, type DocumentOptions } from '@stagecraft/http'
import { errorEnvelopeSchema } from '@stagecraft/spec'
import {
  API_OPERATIONS,
  EVENT_DATA,
  EVENT_KIND_NAMES,
  eventSchema,
  type Operation,
} from '@stagecraft/spec/api'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { type ApiService, startApi } from './api-service.ts'
import { fastifyBinding } from './service.ts'

const KINDS: readonly (readonly [name: string, options: DocumentOptions])[] = [
  ['an engine alone', {}],
  ['everything', { api: true, metrics: true }],
  ['/generate of a store', { api: true, metrics: true, serve: 'generate' }],
  ['/v1 of a store', { api: true, metrics: true, serve: 'api' }],
  ['a worker', { api: true, metrics: true, serve: 'none' }],
]

const WHOLE = createDocument({ api: true })

async function start({
  api,
  serve,
}: DocumentOptions): Promise<Pick<ApiService, 'url'> & Partial<ApiService>> {
  if (!api) return fastifyBinding()
  return startApi({ metrics: () => Promise.resolve(''), ...(serve && { serve }) })
}

function documentedRoutes(options: DocumentOptions): readonly string[] {
  return Object.entries(createDocument(options).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

/** How many routes an app has, from the tree that Fastify prints. */
function countRoutes({ app }: ApiService): number {
  const methods = app.printRoutes({ commonPrefix: false }).matchAll(/ \(([A-Z, ]+)\)$/gm)
  return [...methods].flatMap(([, names = '']) => names.split(', ').filter((name) => name !== 'HEAD')).length
}

describe.each(KINDS)('the document of %s', (_name, options) => {
  test('is the one that the service returns, and valid OpenAPI 3.1', async () => {
    const { url } = await start(options)
    const document: unknown = await (await fetch(`${url}/openapi.json`)).json()
    expect(document).toEqual(JSON.parse(JSON.stringify(createDocument(options))))
    expect(await new Validator().validate(document as Record<string, unknown>)).toMatchObject({ valid: true })
    expect(document).toMatchObject({ openapi: '3.1.0' })
  })

  test('has exactly the routes', async () => {
    const service = await start(options)
    if (!service.app) return expect(documentedRoutes(options)).toContain('POST /generate')
    const { app } = service as ApiService
    const documented = documentedRoutes(options)
    for (const line of documented) {
      const [method = '', path = ''] = line.split(' ')
      const url = path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1')
      expect(app.hasRoute({ method, url }), line).toBe(true)
    }
    expect(countRoutes(service as ApiService)).toBe(documented.length)
  })

  test('has valid references', () => {
    const document = createDocument(options)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(2)
    for (const [, kind = '', name = ''] of references) {
      expect(Object.keys(document.components[kind] as object)).toContain(name)
    }
  })

  test('has a page without other files', async () => {
    const { url } = await start(options)
    const response = await fetch(`${url}/docs`)
    const page = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).not.toMatch(/<script|<img|<link|(?:src|href)="https?:/)
    const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(anchors).size).toBe(anchors.length)
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(links.filter((id) => !anchors.includes(id))).toEqual([])
  })
})

test('the page has every operation, its parameters, its body and its failures', async () => {
  const { url } = await startApi()
  const page = await (await fetch(`${url}/docs`)).text()
  for (const { summary, path } of Object.values<Operation>(API_OPERATIONS)) {
    expect(page).toContain(summary.replace(/'/g, '&#39;'))
    expect(page).toContain(path.replace('*}', '}'))
  }
  for (const text of ['post-generate', 'INVALID_SOURCE', 'fields', 'Unit'])
    expect(page).toContain(`id="${text}"`)
  for (const text of ['options.addTests', 'Idempotency-Key', 'If-Match', 'cursor']) {
    expect(page).toContain(`<code>${text}</code>`)
  }
})

test('the document has every operation by its id, with its parameters', () => {
  for (const [id, { method, path, ...operation }] of Object.entries<Operation>(API_OPERATIONS)) {
    const documented = WHOLE.paths[path.replace('*}', '}')]?.[method.toLowerCase()]
    expect(documented).toMatchObject({ operationId: id, summary: operation.summary })
    const names = (documented?.parameters ?? []).map(({ name }) => name)
    const queried = Object.keys(operation.query?.shape ?? {})
    const inPath = [...path.matchAll(/\{(\w+)/g)].map(([, name]) => name)
    expect(names).toEqual([
      ...inPath,
      ...queried,
      ...(operation.isCreation ? ['Idempotency-Key'] : []),
      ...(operation.hasVersion && method !== 'GET' && method !== 'POST' ? ['If-Match'] : []),
      ...(operation.hasVersion && method === 'GET' ? ['If-None-Match'] : []),
      ...(operation.message ? ['Last-Event-ID'] : []),
    ])
    expect(Object.keys(documented?.responses ?? {})).toEqual(
      expect.arrayContaining([String(operation.status ?? 200), '400', '401', '403', '404', '429', '500']),
    )
    expect(documented?.requestBody === undefined).toBe(operation.body === undefined)
  }
})

test('every example of a body or an answer matches its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', ...WHOLE })
  let checked = 0
  const check = (content: object | undefined): void => {
    for (const { examples = {}, schema } of Object.values(content ?? {}) as Media[]) {
      const isValid = ajv.compile(inDocument(schema))
      for (const { value } of Object.values(examples)) {
        checked++
        expect(isValid(value), JSON.stringify({ value, errors: isValid.errors })).toBe(true)
      }
    }
  }
  for (const methods of [...Object.values(WHOLE.paths), ...Object.values(WHOLE.webhooks ?? {})]) {
    for (const { requestBody, responses } of Object.values(methods)) {
      check(requestBody?.content)
      for (const { content } of Object.values(responses)) check(content)
    }
  }
  for (const { content } of Object.values(WHOLE.components.responses)) {
    check(content)
    const examples = Object.entries(content?.['application/json']?.examples ?? {})
    for (const [code, { value }] of examples) expect(errorEnvelopeSchema.parse(value).error.code).toBe(code)
  }
  expect(checked).toBeGreaterThan(60)
})

interface Media {
  readonly schema: object
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

function inDocument(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as object
}

test('every kind of event has a delivery with a valid example', () => {
  expect(Object.keys(WHOLE.webhooks ?? {})).toEqual(EVENT_KIND_NAMES)
  for (const kind of EVENT_KIND_NAMES) {
    const { parameters, requestBody } = WHOLE.webhooks?.[kind]?.['post'] ?? {}
    const example = eventSchema.parse(requestBody?.content['application/json']?.examples?.[kind]?.value)
    expect(example.event).toBe(kind)
    expect(EVENT_DATA[kind].parse(example.data)).toEqual(example.data)
    expect(parameters?.map(({ name }) => name)).toEqual([
      'x-service-signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])
  }
})

test('with a store, a generation may name where columns come from', () => {
  const options = (document: typeof WHOLE) => JSON.stringify(document.components.schemas['GenerationRequest'])
  expect(options(WHOLE)).toContain('"columns"')
  expect(options(createDocument())).not.toContain('"columns"')
})

test('named schemas are not repeated', () => {
  const { paths } = WHOLE
  const media =
    paths['/v1/projects/{projectId}/units']?.['get']?.responses['200']?.content?.['application/json']
  expect(media?.schema).toMatchObject({
    properties: { data: { properties: { items: { items: { $ref: '#/components/schemas/Unit' } } } } },
  })
})

test('an answer with another status has the same data, without a location', () => {
  const { responses } = WHOLE.paths['/v1/projects/{projectId}/units/from-sources']?.['post'] ?? {}
  expect(responses?.['200']).toEqual({
    ...responses?.['201'],
    description: 'It was a dry run: nothing was created.',
  })
  const path = '/v1/projects/{projectId}/assistant/conversations/{conversationId}/messages'
  const [ended, queued] = ['200', '202'].map((status) => WHOLE.paths[path]?.['post']?.responses[status])
  expect(ended?.content).toEqual(queued?.content)
  expect(Object.keys(queued?.headers ?? {})).toContain('location')
  expect(Object.keys(ended?.headers ?? {})).not.toContain('location')
})

import { createEngine } from '@stagecraft/core'
import { createApp, createDocument, staticKeys } from '@stagecraft/http'
import { metaSchema, type ErrorEnvelope, errorEnvelopeSchema, successEnvelopeSchema } from '@stagecraft/spec'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, test } from 'vitest'
import { expectFailure, expectSuccess } from './expect-envelope.ts'
import { catalog, fastifyBinding, post } from './service.ts'

type App = ReturnType<typeof createApp>
const apps: App[] = []
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

async function listening(ready?: () => Promise<void>): Promise<{ readonly app: App; readonly url: string }> {
  const app = createApp({ engine: createEngine({ catalog }), keys: staticKeys([]), ...(ready && { ready }) })
  apps.push(app)
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
}

describe('health', () => {
  test.each([
    ['/healthz', 'ok'],
    ['/readyz', 'ready'],
  ])('%s answers without a key', async (path, status) => {
    const { url } = await listening()
    const response = await fetch(`${url}${path}`)
    const envelope = (await response.json()) as { readonly meta: { readonly requestId: string } }
    expect(envelope).toEqual({
      success: true,
      data: { status },
      meta: metaSchema.strict().parse(envelope.meta),
    })
    expect(response.headers.get('x-request-id')).toBe(envelope.meta.requestId)
    expect((await fetch(`${url}${path}`, { method: 'HEAD' })).status).toBe(200)
  })

  test('/readyz fails while something is missing, without naming it', async () => {
    const { url } = await listening(() => Promise.reject(new Error('secret host')))
    const envelope = await expectFailure(await fetch(`${url}/readyz`), 'CONNECTION_FAILED')
    expect(envelope.error.message).toBe('not ready: a dependency is unavailable')
  })

  test('routes list their methods', async () => {
    const { url } = await listening()
    const response = await fetch(`${url}/healthz`, { method: 'POST', body: '{' })
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    await expectFailure(response, 'NOT_FOUND')
  })
})

test('an added route answers with the same errors', async () => {
  const app = createApp({ engine: createEngine({ catalog }), keys: staticKeys([]) })
  apps.push(app)
  app.get('/v1/things/:id', () => {
    throw new Error('hunter2')
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { error } = await expectFailure(await fetch(`${url}/v1/things/1`), 'GENERATION_FAILED')
  expect(error.message).not.toContain('hunter2')
  const wrong = await fetch(`${url}/v1/things/1`, { method: 'DELETE' })
  expect(wrong.headers.get('allow')).toBe('GET, HEAD')
})

describe('the document', () => {
  test('has examples that the service accepts', async () => {
    const service = await fastifyBinding()
    const media = createDocument().paths['/generate']?.['post']?.requestBody?.content['application/json']
    const examples = Object.values(media?.examples ?? {})
    expect(examples.length).toBeGreaterThan(2)
    for (const { value } of examples) await expectSuccess(await post(service, value as object))
  })

  test('has examples of answers that match their schemas', () => {
    const document = createDocument()
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', ...document })
    for (const [status, { content = {} }] of Object.entries(
      document.paths['/generate']?.['post']?.responses ?? {},
    )) {
      const { examples = {}, schema } = content['application/json'] ?? {}
      const isValid = ajv.compile({ $ref: `document${String(schema?.['$ref'])}` })
      expect(Object.keys(examples).length).toBeGreaterThan(0)
      for (const [code, { value }] of Object.entries(examples)) {
        expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true)
        const checked = status === '200' ? successEnvelopeSchema : errorEnvelopeSchema
        checked.parse(value)
        if (status !== '200') expect((value as ErrorEnvelope).error.code).toBe(code)
      }
    }
  })

  test('does not forbid sending readonly fields', () => {
    expect(JSON.stringify(createDocument())).not.toContain('readOnly')
  })
})

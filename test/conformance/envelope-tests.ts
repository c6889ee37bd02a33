import { describe, expect, test } from 'vitest'
import type { Answer } from './ask.ts'
import { expectFailure, expectSuccess, STATUSES, TIMESTAMP } from './expect-envelope.ts'
import type { UseSession } from './session.ts'

/** §2.2: what a success looks like. */
export function successTests(use: UseSession): void {
  const generate = (): Promise<Answer> => {
    const { ask, source } = use()
    return ask('POST /generate', {
      body: { type: 'staging', source, options: { addTests: true, addDocs: true } },
    })
  }
  const data = async () => expectSuccess(await generate())
  const meta = async () => (await generate()).envelope.meta

  describe('§2.2 success envelope', () => {
    test('§2.2 success: is true', async () => {
      expect((await generate()).envelope.success).toBe(true)
    })

    test('§2.2 data: is an object', async () => {
      expect(await data()).toEqual(expect.objectContaining({}))
    })

    test('§2.2 data.code: is SQL text', async () => {
      const { code } = await data()
      expect(code).toBeTypeOf('string')
      expect(code).toMatch(/\bselect\b[\s\S]*\bfrom\b/i)
    })

    test('§2.2 data.schema: is YAML text that starts with a version and a list of models', async () => {
      const { schema } = await data()
      expect(schema).toMatch(/^version: 2\s+models:\s+- name: \S+/)
    })

    test('§2.2 data.tests: is a list of names of tests', async () => {
      const { tests } = await data()
      expect(tests).not.toEqual([])
      for (const name of tests as readonly unknown[]) expect(name).toMatch(/^[a-z_][\w.]*$/i)
    })

    test('§2.2 data.warnings: is a list', async () => {
      expect(Array.isArray((await data())['warnings'])).toBe(true)
    })

    test('§2.2 meta.requestId: has the form req_<id> and is another for each request', async () => {
      const ids = [await meta(), await meta()].map(({ requestId }) => requestId)
      for (const id of ids) expect(id).toMatch(/^req_\w+$/)
      expect(new Set(ids).size).toBe(2)
    })

    test('§2.2 meta.timestamp: is ISO 8601 in UTC, of now by the clock of the service', async () => {
      const { envelope, headers } = await generate()
      expect(envelope.meta['timestamp']).toMatch(TIMESTAMP)
      const told = Date.parse(String(envelope.meta['timestamp']))
      expect(Math.abs(told - Date.parse(headers.get('date') ?? ''))).toBeLessThan(5000)
    })

    test('§2.2 meta.tokensUsed: is an integer from 0', async () => {
      const { tokensUsed } = await meta()
      expect(Number.isInteger(tokensUsed)).toBe(true)
      expect(tokensUsed).toBeGreaterThanOrEqual(0)
    })

    test.each(['/v1/projects', '/v1/webhooks', '/v1/events', '/v1/webhook-event-types'])(
      '§2.2 all answers of the interface have it: GET %s',
      async (path) => {
        expectSuccess(await use().ask(`GET ${path}`))
      },
    )
  })
}

/** §2.3: what a failure looks like. */
export function failureTests(use: UseSession): void {
  const missing = () => use().ask('POST /generate', { body: { type: 'staging', source: 'no.such' } })

  describe('§2.3 error envelope', () => {
    test('§2.3 success: is false', async () => {
      expect((await missing()).envelope.success).toBe(false)
    })

    test('§2.3 error.code: is one of §7', async () => {
      expect(Object.keys(STATUSES)).toContain((await missing()).envelope.error.code)
    })

    test('§2.3 error.message: is text', async () => {
      expect((await missing()).envelope.error.message).toMatch(/\w+ \w+/)
    })

    test('§2.3 error.details: may have a suggestion, which is a string', async () => {
      const { details } = expectFailure(await missing(), 'INVALID_SOURCE')
      expect(details?.['suggestion']).toBeTypeOf('string')
    })

    test('§2.3 meta.requestId: has the form req_<id>, and meta nothing else', async () => {
      const { meta } = (await missing()).envelope
      expect(meta).toEqual({ requestId: expect.stringMatching(/^req_\w+$/) })
    })

    test.each([
      ['POST /generate', { key: null }],
      ['POST /generate', { text: '{' }],
      ['GET /generate', {}],
      ['GET /generate/no/such', {}],
      ['GET /v1/no-such', {}],
      ['PUT /v1/webhooks', {}],
      ['POST /v1/webhooks', { text: 'null' }],
      ['GET /v1/webhooks?limit=no', {}],
      ['GET /v1/webhooks/%E0%A4%A', {}],
      ['GET /v1/events', { key: 'x' }],
    ])('§2.3 all failures of the interface have it: %s %j', async (line, asked) => {
      expectFailure(await use().ask(line, asked), 'UNAUTHORIZED', 'NOT_FOUND', 'INVALID_REQUEST')
    })
  })
}

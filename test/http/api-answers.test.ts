import { API_OPERATIONS, type Operation } from '@stagecraft/spec/api'
import { describe, expect, test } from 'vitest'
import { message, PROJECT_ID } from './api-double.ts'
import { startApi } from './api-service.ts'
import { expectData } from './expect-envelope.ts'

const UNITS = `/v1/projects/${PROJECT_ID}/units`
const UNIT = `${UNITS}/unit_1`
const NEW_UNIT = { type: 'staging', source: 'raw.stripe.payments' }

describe('an answer', () => {
  test('to a creation has its location', async () => {
    const { ask } = await startApi()
    const made = await ask(`POST ${UNITS}`, { body: NEW_UNIT })
    expect(made.headers.get('location')).toBe(UNIT)
    expect(made.headers.get('etag')).toMatch(/^"v3-[\da-f]{16}"$/)
    await expectData(made, 201)
    const queued = await ask(`POST /v1/projects/${PROJECT_ID}/generations`)
    expect(queued.headers.get('location')).toBe(`/v1/projects/${PROJECT_ID}/generations/gen_1`)
    expect((await expectData(queued, 202)).meta.tokensUsed).toBe(7)
    const again = await ask('POST /v1/webhook-deliveries/dlv_7/redeliver')
    expect(again.headers.get('location')).toBe('/v1/webhook-deliveries/dlv_1')
  })

  test('has the status of the reply, if it depends on the result', async () => {
    const { ask } = await startApi({
      handlers: { createMessage: () => Promise.resolve({ data: message, status: 200 }) },
    })
    const path = `/v1/projects/${PROJECT_ID}/assistant/conversations/conv_1/messages`
    const response = await ask(`POST ${path}`, { body: { content: 'Who reads it?' } })
    expect(response.headers.get('location')).toBeNull()
    await expectData(response)
  })

  test('to a list links its next page, until the last', async () => {
    const { ask } = await startApi()
    const first = await ask(`GET ${UNITS}?limit=1&source=a%20b`)
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1]
    expect((await expectData(first)).meta.nextCursor).toBe('a+b&c')
    expect(next).toBe(`${UNITS}?limit=1&source=a+b&cursor=a%2Bb%26c`)
    const last = await ask(`GET ${next}`)
    expect(last.headers.get('link')).toBeNull()
    expect((await expectData(last)).meta.nextCursor).toBeUndefined()
  })

  test('with an unchanged resource is 304 and empty', async () => {
    const { ask } = await startApi()
    const known = (await ask(`GET ${UNIT}`)).headers.get('etag') ?? ''
    for (const tag of [known, `W/${known}`, `"v1", ${known}`, '*']) {
      const response = await ask(`GET ${UNIT}`, { headers: { 'if-none-match': tag } })
      expect(response.status, tag).toBe(304)
      expect(response.headers.get('etag')).toBe(known)
      expect(response.headers.get('content-type')).toBeNull()
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      expect(await response.text()).toBe('')
    }
    // the version alone does not tell that a generation came in between
    const changed = await ask(`GET ${UNIT}`, { headers: { 'if-none-match': '"v3"' } })
    expect(changed.headers.get('cache-control')).toBe('private, no-cache')
    await expectData(changed)
  })

  test('to HEAD is the answer to GET without its body', async () => {
    const { ask } = await startApi()
    const response = await ask(`HEAD ${UNIT}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toMatch(/^"v3-[\da-f]{16}"$/)
    expect(await response.text()).toBe('')
  })

  test('that is a file has its bytes, its type and a safe name', async () => {
    const { ask } = await startApi()
    const text = await ask(`GET /v1/projects/${PROJECT_ID}/generations/gen_1/files/a.sql`)
    expect(await text.text()).toBe('größe')
    expect(Object.fromEntries(text.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="stg _gr__e___.sql"; filename*=UTF-8''stg%20%22gr%C3%B6%C3%9Fe%22%0D%0A.sql`,
      'x-content-type-options': 'nosniff',
      'api-version': '2026-11-21',
    })
    const archive = await ask(`GET /v1/projects/${PROJECT_ID}/archive`)
    expect([...new Uint8Array(await archive.arrayBuffer())]).toEqual([0x50, 0x4b, 0, 255])
    expect(archive.headers.get('content-type')).toBe('application/zip')
    expect(archive.headers.get('content-disposition')).toBe('attachment; filename="files.zip"')
  })
})

describe('the end of an operation', () => {
  const listUnits: Operation = {
    ...API_OPERATIONS.listUnits,
    deprecated: { since: '2026-11-21', sunset: '2027-11-21', successor: '/v1/other' },
  }
  const api = { operations: { ...API_OPERATIONS, listUnits } }

  test('is announced only by its own answers', async () => {
    const { ask } = await startApi({ api })
    const announced = '</docs>; rel="deprecation"; type="text/html", </v1/other>; rel="successor-version"'
    const last = await ask(`GET ${UNITS}?cursor=x`)
    expect(Object.fromEntries(last.headers)).toMatchObject({
      deprecation: '@1795219200',
      sunset: 'Sun, 21 Nov 2027 00:00:00 GMT',
      link: announced,
    })
    const first = await ask(`GET ${UNITS}`)
    expect(first.headers.get('link')).toBe(`${announced}, <${UNITS}?cursor=a%2Bb%26c>; rel="next"`)
    const failed = await ask(`GET ${UNITS}`, { key: 'x' })
    expect(failed.headers.get('deprecation')).toBe('@1795219200')
    expect((await ask(`GET ${UNIT}`)).headers.get('deprecation')).toBeNull()
  })

  test('is in the document', async () => {
    const { url } = await startApi({ api })
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, { get: { deprecated?: true; description: string } }>
    }
    const { get } = document.paths['/v1/projects/{projectId}/units']!
    expect(get.deprecated).toBe(true)
    expect(get.description).toContain('may be removed from 2027-11-21 on; use `/v1/other`')
  })
})

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackendRequest } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { events, json } from '../testing/replies.ts'
import { ALL_FIXTURES, CANARY_KEY, failureOfCall, openOn, REQUEST } from '../testing/run.ts'
import { useStubServer } from '../testing/stub-server.ts'
import { withTemporaryFolder } from '../testing/temporary-folder.ts'
import { cassetteFetch } from './cassette-fetch.ts'

const server = useStubServer({ beforeAll, afterAll })

const TEXT = '{"greeting":"grüße, 日本 🙂"}'
const STREAMED: BackendRequest = { ...REQUEST, onText: () => {} }

/** The same response in pieces of a few bytes, which cut frames and letters. */
function inPieces(fetch: typeof globalThis.fetch, size: number): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const bytes = new Uint8Array(await response.arrayBuffer())
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(bytes.subarray(sent, sent + size))
        sent += size
        if (sent >= bytes.length) controller.close()
      },
    })
    return new Response(body, { status: response.status, headers: response.headers })
  }
}

describe.each(ALL_FIXTURES)('$name', (fixtures) => {
  test('plays recordings through the SDK, whole and in a stream', async () => {
    await withTemporaryFolder(async (folder) => {
      server.answer(json(fixtures.ok(TEXT)), events(fixtures.stream(TEXT)))
      const recorder = openOn(fixtures, server, { fetch: cassetteFetch({ folder, mode: 'record' }) })
      const recorded = [await recorder.complete(REQUEST), await recorder.complete(STREAMED)]
      const player = fixtures.open({
        baseUrl: 'http://127.0.0.1:9',
        apiKey: 'none',
        fetch: cassetteFetch({ folder }),
      })
      expect([await player.complete(REQUEST), await player.complete(STREAMED)]).toEqual(recorded)
      expect(recorded.map(({ text }) => text)).toEqual([TEXT, TEXT])
      expect(server.requests).toHaveLength(2)
    })
  })

  test.each([1, 2, 3, 7])('reads a stream in pieces of %i bytes', async (size) => {
    await withTemporaryFolder(async (folder) => {
      server.answer(events(fixtures.stream(TEXT)))
      await openOn(fixtures, server, { fetch: cassetteFetch({ folder, mode: 'record' }) }).complete(STREAMED)
      const player = openOn(fixtures, server, { fetch: inPieces(cassetteFetch({ folder }), size) })
      const texts: string[] = []
      const answer = await player.complete({ ...STREAMED, onText: (delta) => void texts.push(delta) })
      expect(answer).toMatchObject({ text: TEXT, usage: fixtures.usage })
      expect(texts.join('')).toBe(TEXT)
    })
  })

  test('fails on a miss at once, with its key', async () => {
    await withTemporaryFolder(async (folder) => {
      const fetch = cassetteFetch({ folder })
      const error = await failureOfCall(openOn(fixtures, server, { fetch }).complete(REQUEST))
      expect(error).toMatchObject({ kind: 'bad_request', status: 400 })
      expect(error.message).toMatch(/\(cassette_miss, status 400, request cassette-[0-9a-f]{16}\)$/)
    })
  })

  test('stores no key, even if the server echoes it, and only the relevant headers', async () => {
    await withTemporaryFolder(async (folder) => {
      const headers = { 'set-cookie': 'a=b', 'x-account': 'me' }
      server.answer(json(fixtures.ok(CANARY_KEY), 200, headers))
      const fetch = cassetteFetch({ folder, mode: 'record' })
      await openOn(fixtures, server, { fetch }).complete(REQUEST)
      const [name = ''] = await readdir(folder)
      const text = await readFile(join(folder, name), 'utf8')
      expect(text).not.toContain(CANARY_KEY)
      const { response } = JSON.parse(text) as { response: { headers: object } }
      expect(Object.keys(response.headers)).toEqual([
        'content-type',
        'request-id',
        'retry-after-ms',
        'x-request-id',
      ])
    })
  })

  test('stores a stream frame by frame', async () => {
    await withTemporaryFolder(async (folder) => {
      server.answer(events(fixtures.stream(TEXT)))
      await openOn(fixtures, server, { fetch: cassetteFetch({ folder, mode: 'record' }) }).complete(STREAMED)
      const [name = ''] = await readdir(folder)
      const stored: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'))
      expect(stored).toMatchObject({
        request: { method: 'POST', path: fixtures.path },
        response: { status: 200, frames: fixtures.stream(TEXT) },
      })
    })
  })
})

test.each(['', '{}', '{"response":{"status":200,"headers":{},"frames":[1]}}'])(
  'reports an invalid recording: %j',
  async (text) => {
    await withTemporaryFolder(async (folder) => {
      const send = async () =>
        await cassetteFetch({ folder })('http://a/b', { method: 'POST', body: '{"b":1,"a":2}' })
      const [, key = ''] = /cassette-(\w+)/.exec((await send()).headers.get('request-id') ?? '') ?? []
      await writeFile(join(folder, `${key}.json`), text)
      const response = await send()
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { type: 'cassette_malformed' } })
    })
  },
)

test('finds a recording whatever the host and the order of keys', async () => {
  await withTemporaryFolder(async (folder) => {
    const idOf = async (url: string, body: string) =>
      (await cassetteFetch({ folder })(url, { method: 'POST', body })).headers.get('request-id')
    const id = await idOf('http://a/v1?x=1', '{"b":1,"a":2}')
    expect(await idOf('https://b/v1?x=1', '{"a":2,"b":1}')).toBe(id)
    expect(await idOf('http://a/v1?x=2', '{"b":1,"a":2}')).not.toBe(id)
    expect(await idOf('http://a/v1?x=1', '{"b":1,"a":3}')).not.toBe(id)
  })
})

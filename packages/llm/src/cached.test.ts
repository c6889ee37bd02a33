import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Backend, type BackendAnswer, BackendError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { cached } from './cached.ts'
import { scripted, SCRIPTED_USAGE } from './scripted.ts'
import { REQUEST } from './testing/run.ts'
import { withTemporaryFolder } from './testing/temporary-folder.ts'

/** Asks, and says of the answer that it is of use. */
async function ask(backend: Backend, request = REQUEST): Promise<Omit<BackendAnswer, 'cache'>> {
  const { cache, ...answer } = await backend.complete(request)
  await cache?.settle(true)
  return answer
}

const NOTHING = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

test('asks once, and reports no tokens for a stored answer', async () => {
  await withTemporaryFolder(async (folder) => {
    const inner = scripted(['"Zoë"', 'another'])
    const backend = cached(inner, { folder: join(folder, 'made', 'here') })
    const first = await ask(backend)
    const texts: string[] = []
    const onText = (delta: string) => void texts.push(delta)
    const second = await ask(backend, { ...REQUEST, timeoutMs: 1, onText })
    expect(first.usage).toEqual(SCRIPTED_USAGE)
    expect(second).toEqual({ ...first, usage: NOTHING })
    expect(texts).toEqual(['"Zoë"'])
    expect(inner.requests).toHaveLength(1)
    expect(backend.id).toBe(inner.id)
  })
})

test('writes a readable file, with the usage of the call', async () => {
  await withTemporaryFolder(async (folder) => {
    await ask(cached(scripted(['a']), { folder }))
    const [name = ''] = await readdir(folder)
    const text = await readFile(join(folder, name), 'utf8')
    expect(name).toMatch(/^[0-9a-f]{16}\.json$/)
    expect(text.startsWith('{\n  "request": {\n    "backend": "scripted",\n')).toBe(true)
    expect(text.endsWith('}\n')).toBe(true)
    expect(JSON.parse(text)).toMatchObject({ answer: { text: 'a', usage: SCRIPTED_USAGE } })
  })
})

test('asks again and overwrites on request', async () => {
  await withTemporaryFolder(async (folder) => {
    const inner = scripted(['old', 'new'])
    await ask(cached(inner, { folder }))
    expect(await ask(cached(inner, { folder, refresh: true }))).toMatchObject({ text: 'new' })
    expect(await ask(cached(inner, { folder }))).toMatchObject({ text: 'new', usage: NOTHING })
  })
})

test.each([
  ['half a file', (text: string) => text.slice(0, 100)],
  ['nothing', () => ''],
  ['another JSON', () => '[]'],
  ['an answer without a text', (text: string) => text.replace('"text": "a"', '"text": 1')],
  ['another request', (text: string) => text.replace('"maxOutputTokens": 1000', '"maxOutputTokens": 9')],
  ['an answer that was cut', (text: string) => text.replace('"stop": "end"', '"stop": "truncated"')],
])('treats %s as a miss and writes it again', async (_, damage) => {
  await withTemporaryFolder(async (folder) => {
    const inner = scripted(['a', 'b'])
    const backend = cached(inner, { folder })
    await ask(backend)
    const [name = ''] = await readdir(folder)
    const path = join(folder, name)
    await writeFile(path, damage(await readFile(path, 'utf8')))
    expect(await ask(backend)).toMatchObject({ text: 'b', usage: SCRIPTED_USAGE })
    expect(await ask(backend)).toMatchObject({ text: 'b', usage: NOTHING })
  })
})

test('stores neither incomplete answers nor errors', async () => {
  await withTemporaryFolder(async (folder) => {
    const error = new BackendError('overloaded', 'busy')
    const inner = scripted([{ stop: 'truncated' }, { stop: 'refused' }, error, 'a'])
    const backend = cached(inner, { folder })
    await ask(backend)
    await ask(backend)
    await expect(ask(backend)).rejects.toBe(error)
    expect(await ask(backend)).toMatchObject({ text: 'a', usage: SCRIPTED_USAGE })
    expect(await readdir(folder)).toHaveLength(1)
  })
})

test('stores only answers that were judged usable, and removes others', async () => {
  await withTemporaryFolder(async (folder) => {
    const inner = scripted(['a', 'b', 'c', 'd'])
    const backend = cached(inner, { folder })
    expect((await backend.complete(REQUEST)).text).toBe('a')
    const second = await backend.complete(REQUEST)
    expect(second).toMatchObject({ text: 'b', cache: { isHit: false } })
    await second.cache?.settle(false)
    expect(await readdir(folder).catch(() => [])).toEqual([])
    expect((await ask(backend)).text).toBe('c')
    const kept = await backend.complete(REQUEST)
    expect(kept).toMatchObject({ text: 'c', cache: { isHit: true } })
    await kept.cache?.settle(false)
    expect((await ask(backend)).text).toBe('d')
  })
})

test('returns an answer that it cannot store', async () => {
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await cached(scripted(['a']), { folder: file }).complete(REQUEST)).toMatchObject({ text: 'a' })
  })
})

test('supports many writers', async () => {
  await withTemporaryFolder(async (folder) => {
    const inner = scripted((_, attempt) => `answer ${attempt}`)
    const calls = Array.from({ length: 20 }, async () => {
      const backend = cached(inner, { folder, refresh: true })
      return await ask(backend)
    })
    await Promise.all(calls)
    expect(await readdir(folder)).toHaveLength(1)
    const kept = await ask(cached(scripted([]), { folder }))
    expect(kept.text).toMatch(/^answer \d+$/)
  })
})

test('stops when the signal is aborted', async () => {
  await withTemporaryFolder(async (folder) => {
    const backend = cached(scripted(['a']), { folder })
    await ask(backend)
    const reason = new Error('stopped')
    const call = backend.complete({ ...REQUEST, signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
  })
})

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BackendError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { cached } from './cached.ts'
import { scripted, SCRIPTED_USAGE } from './scripted.ts'
import { REQUEST } from './testing/run.ts'
import { withTemporaryFolder } from './testing/temporary-folder.ts'

const NOTHING = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

test('asks once, and says that a kept answer costs nothing', async () => {
  await withTemporaryFolder(async (folder) => {
    const inner = scripted(['"Zoë"', 'another'])
    const backend = cached(inner, { folder: join(folder, 'made', 'here') })
    const first = await backend.complete(REQUEST)
    const texts: string[] = []
    const second = await backend.complete({
      ...REQUEST,
      timeoutMs: 1,
      onText: (delta) => void texts.push(delta),
    })
    expect(first.usage).toEqual(SCRIPTED_USAGE)
    expect(second).toEqual({ ...first, usage: NOTHING })
    expect(texts).toEqual(['"Zoë"'])
    expect(inner.requests).toHaveLength(1)
    expect(backend.id).toBe(inner.id)
  })
})

test('keeps a file that people can read, with the usage of the time', async () => {
  await withTemporaryFolder(async (folder) => {
    await cached(scripted(['a']), { folder }).complete(REQUEST)
    const [name = ''] = await readdir(folder)
    const text = await readFile(join(folder, name), 'utf8')
    expect(name).toMatch(/^[0-9a-f]{16}\.json$/)
    expect(text.startsWith('{\n  "request": {\n    "backend": "scripted",\n')).toBe(true)
    expect(text.endsWith('}\n')).toBe(true)
    expect(JSON.parse(text)).toMatchObject({ answer: { text: 'a', usage: SCRIPTED_USAGE } })
  })
})

test('asks anew and overwrites when told so', async () => {
  await withTemporaryFolder(async (folder) => {
    const inner = scripted(['old', 'new'])
    await cached(inner, { folder }).complete(REQUEST)
    expect(await cached(inner, { folder, refresh: true }).complete(REQUEST)).toMatchObject({ text: 'new' })
    expect(await cached(inner, { folder }).complete(REQUEST)).toMatchObject({ text: 'new', usage: NOTHING })
  })
})

test.each([
  ['half a file', (text: string) => text.slice(0, 100)],
  ['nothing', () => ''],
  ['another JSON', () => '[]'],
  ['an answer without a text', (text: string) => text.replace('"text": "a"', '"text": 1')],
  ['another request', (text: string) => text.replace('"maxOutputTokens": 1000', '"maxOutputTokens": 9')],
  ['an answer that was cut', (text: string) => text.replace('"stop": "end"', '"stop": "truncated"')],
])('takes %s for a miss and writes it anew', async (_, damage) => {
  await withTemporaryFolder(async (folder) => {
    const inner = scripted(['a', 'b'])
    const backend = cached(inner, { folder })
    await backend.complete(REQUEST)
    const [name = ''] = await readdir(folder)
    const path = join(folder, name)
    await writeFile(path, damage(await readFile(path, 'utf8')))
    expect(await backend.complete(REQUEST)).toMatchObject({ text: 'b', usage: SCRIPTED_USAGE })
    expect(await backend.complete(REQUEST)).toMatchObject({ text: 'b', usage: NOTHING })
  })
})

test('keeps neither answers that are not whole nor errors', async () => {
  await withTemporaryFolder(async (folder) => {
    const error = new BackendError('overloaded', 'busy')
    const inner = scripted([{ stop: 'truncated' }, { stop: 'refused' }, error, 'a'])
    const backend = cached(inner, { folder })
    await backend.complete(REQUEST)
    await backend.complete(REQUEST)
    await expect(backend.complete(REQUEST)).rejects.toBe(error)
    expect(await backend.complete(REQUEST)).toMatchObject({ text: 'a', usage: SCRIPTED_USAGE })
    expect(await readdir(folder)).toHaveLength(1)
  })
})

test('gives an answer that it cannot keep', async () => {
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await cached(scripted(['a']), { folder: file }).complete(REQUEST)).toMatchObject({ text: 'a' })
  })
})

test('is not harmed by many writers', async () => {
  await withTemporaryFolder(async (folder) => {
    const inner = scripted((_, attempt) => `answer ${attempt}`)
    const calls = Array.from({ length: 20 }, async () => {
      const backend = cached(inner, { folder, refresh: true })
      return await backend.complete(REQUEST)
    })
    await Promise.all(calls)
    expect(await readdir(folder)).toHaveLength(1)
    const kept = await cached(scripted([]), { folder }).complete(REQUEST)
    expect(kept.text).toMatch(/^answer \d+$/)
  })
})

test('heeds the signal', async () => {
  await withTemporaryFolder(async (folder) => {
    const backend = cached(scripted(['a']), { folder })
    await backend.complete(REQUEST)
    const reason = new Error('stopped')
    const call = backend.complete({ ...REQUEST, signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
  })
})

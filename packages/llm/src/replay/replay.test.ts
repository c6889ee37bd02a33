import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BackendError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { scripted } from '../scripted.ts'
import { faultsOf } from '../testing/faults.ts'
import { REQUEST } from '../testing/run.ts'
import { withTemporaryFolder } from '../testing/temporary-folder.ts'
import { replay } from './replay.ts'

test('plays recordings without the backend', async () => {
  await withTemporaryFolder(async (folder) => {
    const answers = [{ stop: 'refused', text: 'no', usage: undefined, requestId: 'r' } as const, 'Zoë']
    const recorder = replay({ folder, mode: 'record', backend: scripted(answers, { id: 'x:y' }) })
    const other = { ...REQUEST, system: 'other' }
    const recorded = [await recorder.complete(REQUEST), await recorder.complete(other)]
    const player = replay({ folder, id: 'x:y' })
    const texts: string[] = []
    const played = [
      await player.complete(REQUEST),
      await player.complete({ ...other, onText: (delta) => void texts.push(delta) }),
    ]
    expect(played).toEqual(recorded)
    expect(texts).toEqual(['Zoë'])
    expect(player.id).toBe('x:y')
  })
})

test('plays a conversation whose turns come from recordings', async () => {
  await withTemporaryFolder(async (folder) => {
    const first = { text: 'a', turn: { role: 'assistant', opaque: [{ z: 1, a: 2 }] } } as const
    const backend = scripted([first, 'b'])
    for (const mode of ['record', 'replay'] as const) {
      const player = replay({ folder, mode, backend })
      const { turn } = await player.complete(REQUEST)
      const turns = [...REQUEST.turns, turn]
      expect(await player.complete({ ...REQUEST, turns })).toMatchObject({ text: 'b' })
    }
  })
})

test('writes the same bytes for the same exchange', async () => {
  await withTemporaryFolder(async (folder) => {
    const record = async () => {
      await replay({ folder, mode: 'record', backend: scripted(['a']) }).complete(REQUEST)
      const [name = ''] = await readdir(folder)
      return await readFile(join(folder, name), 'utf8')
    }
    expect(await record()).toBe(await record())
  })
})

test('names the missing recording, and the remedy', async () => {
  await withTemporaryFolder(async (folder) => {
    const call = replay({ folder, id: 'x:y' }).complete(REQUEST)
    await expect(call).rejects.toMatchObject({
      code: 'GENERATION_FAILED',
      message: expect.stringMatching(
        /^no recording [0-9a-f]{16} in .+: the request is new or has changed; record it with mode "record"/,
      ) as string,
      details: { folder },
    })
  })
})

test.each(['', '{"request":', '{}', '[]'])('names an invalid recording: %j', async (text) => {
  await withTemporaryFolder(async (folder) => {
    const backend = scripted(['a'])
    await replay({ folder, mode: 'record', backend }).complete(REQUEST)
    const [name = ''] = await readdir(folder)
    await writeFile(join(folder, name), text)
    await expect(replay({ folder, backend }).complete(REQUEST)).rejects.toMatchObject({
      code: 'GENERATION_FAILED',
      message: `the recording ${join(folder, name)} is not an exchange of this request; delete it and record it again`,
    })
  })
})

test('records no errors', async () => {
  await withTemporaryFolder(async (folder) => {
    const error = new BackendError('overloaded', 'busy')
    const recorder = replay({ folder, mode: 'record', backend: scripted([error]) })
    await expect(recorder.complete(REQUEST)).rejects.toBe(error)
    expect(await readdir(folder)).toEqual([])
  })
})

test('only asks in mode live', async () => {
  await withTemporaryFolder(async (folder) => {
    const live = replay({ folder, mode: 'live', backend: scripted(['a']) })
    expect(await live.complete(REQUEST)).toMatchObject({ text: 'a' })
    expect(await readdir(folder)).toEqual([])
  })
})

test('requires a backend to ask, or the id of the recorded one', () => {
  for (const options of [{}, { mode: 'record', id: 'x:y' }, { mode: 'live', id: 'x:y' }] as const) {
    expect(faultsOf(() => replay({ folder: 'x', ...options })).code).toBe('INVALID_REQUEST')
  }
})

test('stops when the signal is aborted', async () => {
  const reason = new Error('stopped')
  await withTemporaryFolder(async (folder) => {
    const backend = scripted(['a'])
    await replay({ folder, mode: 'record', backend }).complete(REQUEST)
    const signal = AbortSignal.abort(reason)
    await expect(replay({ folder, backend }).complete({ ...REQUEST, signal })).rejects.toBe(reason)
  })
})

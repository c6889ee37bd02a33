import { expect, test } from 'vitest'
import { readBytes, TOO_LONG } from './read-bytes.ts'

/** A body in pieces, and whether it was cancelled. */
function inPieces(...sizes: readonly number[]) {
  const left = [...sizes]
  const seen = { isCancelled: false }
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const size = left.shift()
      if (size === undefined) controller.close()
      else controller.enqueue(new Uint8Array(size).fill(size))
    },
    cancel: () => void (seen.isCancelled = true),
  })
  return { response: new Response(body), seen }
}

test('joins the chunks', async () => {
  expect(await readBytes(inPieces(1, 2).response, 3)).toEqual(new Uint8Array([1, 2, 2]))
})

test('reads a missing body as an empty one', async () => {
  expect(await readBytes(new Response(null), 3)).toEqual(new Uint8Array())
})

test('stops at the chunk that exceeds the limit', async () => {
  const { response, seen } = inPieces(2, 2, 2)
  expect(await readBytes(response, 3)).toBe(TOO_LONG)
  expect(seen.isCancelled).toBe(true)
})

test('does not read a body whose length exceeds the limit', async () => {
  const response = new Response('abc', { headers: { 'content-length': '4' } })
  expect(await readBytes(response, 3)).toBe(TOO_LONG)
})

test('fails with the error of the body', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) })
  await expect(readBytes(new Response(body), 3)).rejects.toThrow('broken')
})

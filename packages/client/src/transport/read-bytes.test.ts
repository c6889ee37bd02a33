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

test('joins the pieces', async () => {
  expect(await readBytes(inPieces(1, 2).response, 3)).toEqual(new Uint8Array([1, 2, 2]))
})

test('takes no body for an empty one', async () => {
  expect(await readBytes(new Response(null), 3)).toEqual(new Uint8Array())
})

test('stops at the piece that is too much', async () => {
  const { response, seen } = inPieces(2, 2, 2)
  expect(await readBytes(response, 3)).toBe(TOO_LONG)
  expect(seen.isCancelled).toBe(true)
})

test('does not begin what says that it is too long', async () => {
  const response = new Response('abc', { headers: { 'content-length': '4' } })
  expect(await readBytes(response, 3)).toBe(TOO_LONG)
})

test('fails as the body fails', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) })
  await expect(readBytes(new Response(body), 3)).rejects.toThrow('broken')
})

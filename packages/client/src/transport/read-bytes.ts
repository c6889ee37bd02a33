/**
 * The size limit of answers: well above the archive of a large project, and small enough for a browser tab.
 */
export const MOST_BYTES = 256 * 2 ** 20

/** The result for a body that exceeds the limit. */
export const TOO_LONG = Symbol('too long')

/** Reads a body to its end, or until it exceeds the limit. */
export async function readBytes(
  response: Response,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | typeof TOO_LONG> {
  if (Number(response.headers.get('content-length')) > most) {
    await response.body?.cancel()
    return TOO_LONG
  }
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of piecesOf(response)) {
    length += piece.length
    if (length > most) return TOO_LONG
    pieces.push(piece)
  }
  return join(pieces, length)
}

/** Uses a reader, because not every browser can iterate a body. */
async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isOver = done
      if (done) return
      yield value
    }
  } catch (error) {
    isOver = true
    throw error
  } finally {
    if (!isOver) await reader.cancel()
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

import { bodyTooLarge } from '../body/json-body.ts'

/** @throws {StagecraftError} INVALID_REQUEST as soon as the body is longer than allowed. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw bodyTooLarge(limit)
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    length += part.value.length
    if (length > limit) {
      // The rest is not waited for; a client that goes on sending is told so by its connection.
      reader?.cancel().catch(() => undefined)
      throw bodyTooLarge(limit)
    }
    chunks.push(part.value)
  }
  return join(chunks, length)
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first, ...others] = chunks
  if (first && others.length === 0) return first
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** The error of a body that exceeds the limit. */
export class BodyTooLarge extends Error {}

/**
 * Reads a whole body.
 *
 * @throws {BodyTooLarge} As soon as the limit is passed.
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  {
    maxBytes,
    contentLength,
  }: { readonly maxBytes: number; readonly contentLength: string | null | undefined },
): Promise<Uint8Array> {
  if (Number(contentLength ?? 0) > maxBytes) throw new BodyTooLarge()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > maxBytes) throw new BodyTooLarge()
    parts.push(chunk)
  }
  return join(parts, size)
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.byteLength
  }
  return whole
}

import type { ReadResponse } from './exchange.ts'

/** Returns the JSON of a body; undefined for text that is not JSON. */
export function parseJson({ bytes }: ReadResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

import type { ReadResponse } from './exchange.ts'

/** The JSON of a body; undefined for what is none. */
export function parseJson({ bytes }: ReadResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

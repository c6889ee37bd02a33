import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

/** @throws {Error} When `data` is not what its schema says, or has members that are not in it. */
export function checkAnswer(data: unknown, schema: z.ZodType): void {
  const sent: unknown = JSON.parse(JSON.stringify(data))
  const result = schema.safeParse(sent)
  if (!result.success) throw new Error(`an answer that its schema refuses: ${result.error.message}`)
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result.data)), sent)) {
    throw new Error('an answer has members that its schema does not have')
  }
}

import { inspect } from 'node:util'
import { StagecraftError } from '@stagecraft/spec'
import { expect } from 'vitest'
import { KEY } from './stub.ts'

/** What a promise fails with; the key is nowhere in it. */
export async function failureOf(promise: Promise<unknown>): Promise<StagecraftError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StagecraftError)
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY)
  return error as StagecraftError
}

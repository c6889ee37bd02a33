import { inspect } from 'node:util'
import type { BackendRequest } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AT_ONCE_MS } from '../../../../test/at-once.ts'
import { ANSWERS } from './answers.ts'
import type { Behaviour } from './behaviour.ts'
import { HTTP_FAILURES } from './http-failures.ts'
import { STREAM_FAILURES } from './stream-failures.ts'
import { ALL_FIXTURES, CANARY_KEY, CANARY_PROMPT, failureOfCall, openOn, REQUEST } from './run.ts'
import { useStubServer } from './stub-server.ts'

const server = useStubServer({ beforeAll, afterAll })

function toRequest({ isStream = false, timeoutMs = 5000 }: Behaviour, texts: string[]): BackendRequest {
  return { ...REQUEST, timeoutMs, ...(isStream && { onText: (delta) => texts.push(delta) }) }
}

describe.each(ALL_FIXTURES)('$name', (fixtures) => {
  test.each(ANSWERS)('answers: $name', async (behaviour) => {
    server.answer(...behaviour.replies(fixtures))
    const texts: string[] = []
    const answer = await openOn(fixtures, server).complete(toRequest(behaviour, texts))
    expect(answer).toMatchObject(behaviour.answer?.(fixtures) ?? {})
    expect(server.requests).toHaveLength(behaviour.requests ?? 1)
    expect(server.requests.map(({ path }) => path)).toContain(fixtures.path)
    expect(texts.join('')).toBe(behaviour.isStream === true ? answer.text : '')
  })

  test.each([...HTTP_FAILURES, ...STREAM_FAILURES])('fails: $name', async (behaviour) => {
    server.answer(...behaviour.replies(fixtures))
    const { maxRetries = 2 } = behaviour
    const backend = openOn(fixtures, server, { maxRetries })
    const start = performance.now()
    const error = await failureOfCall(backend.complete(toRequest(behaviour, [])))
    expect({ kind: error.kind, status: error.status }, error.message).toEqual({
      kind: behaviour.failure,
      status: behaviour.status ?? error.status,
    })
    expect(server.requests).toHaveLength(behaviour.requests ?? 1)
    expect(performance.now() - start).toBeLessThan((behaviour.timeoutMs ?? 5000) + AT_ONCE_MS)
    const shown = inspect(error, { depth: Infinity, showHidden: true })
    expect(shown).not.toContain(CANARY_KEY)
    expect(shown).not.toContain(CANARY_PROMPT)
  })
})

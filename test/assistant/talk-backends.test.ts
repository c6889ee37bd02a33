import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  askInPlace,
  recordedQuestions,
  printLine,
  readTranscript,
  talk,
  transcribing,
} from '@stagecraft/assistant'
import { replay } from '@stagecraft/llm/replay'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { events, json } from '../../packages/llm/src/testing/replies.ts'
import { ALL_FIXTURES, CANARY_KEY, openOn } from '../../packages/llm/src/testing/run.ts'
import { useStubServer } from '../../packages/llm/src/testing/stub-server.ts'
import { lookUpFrames } from './look-up-frames.ts'
import { SHOP_FILES, viewOf } from './views.ts'

const server = useStubServer({ beforeAll, afterAll })
const view = await viewOf(SHOP_FILES)
const readProject = askInPlace(() => Promise.resolve(view))
const QUESTION = 'Where is fct_orders used?'
const TEXT = 'A test reads it [tests/no_negative_totals.sql:1].'
const ANSWER = {
  text: 'A test reads it [1].',
  citations: [{ file: 'tests/no_negative_totals.sql', line: 1 }],
  answeredBy: 'model',
}

/** Schemas that providers enforce as a whole: every key is required, and no other is allowed. */
function assertStrict(schema: unknown): void {
  if (Array.isArray(schema)) return schema.forEach(assertStrict)
  if (typeof schema !== 'object' || schema === null) return
  const { properties, required, additionalProperties } = schema as Record<string, unknown>
  if (typeof properties === 'object' && properties !== null) {
    expect({ required, additionalProperties }).toEqual({
      required: Object.keys(properties),
      additionalProperties: false,
    })
  }
  for (const [name, inner] of Object.entries(schema)) {
    expect(name).not.toMatch(/^(?:minimum|maximum|minLength|maxLength|pattern|default|\$schema|maxItems)$/)
    assertStrict(inner)
  }
}

describe.each(ALL_FIXTURES)('$name', (fixtures) => {
  test('looks things up by tools and answers, in streams', async () => {
    server.answer(events(lookUpFrames(fixtures)), events(fixtures.stream(TEXT)))
    const { answer } = await talk(QUESTION, { backend: openOn(fixtures, server), readProject })
    expect(answer).toMatchObject({ ...ANSWER, calls: 1 })
    const [first, second] = server.requests.map(({ body }) => body)
    const tools = (first ?? {})['tools'] as {
      input_schema?: object
      parameters?: object
      function?: object
    }[]
    assertStrict(tools.map((tool) => tool.input_schema ?? tool.parameters ?? tool.function))
    expect(JSON.stringify(second)).toContain(String.raw`\"untrusted\":true`)
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain(CANARY_KEY)
  })

  test('a server that knows no tools leaves the answer to the rules', async () => {
    server.answer(json(fixtures.error('invalid_request_error', 'tools are not supported'), 400))
    const { answer } = await talk(QUESTION, { backend: openOn(fixtures, server), readProject })
    expect(answer).toMatchObject({ answeredBy: 'rules', fallback: expect.stringContaining('request') })
  })

  test('plays from recordings, and from its transcript', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stagecraft-talk-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    server.answer(events(lookUpFrames(fixtures)), events(fixtures.stream(TEXT)))
    const live = openOn(fixtures, server)
    const lines: string[] = [
      printLine({ type: 'conversation', version: 1, id: 'conv_1', system: '', at: '2026-11-22T00:00:00Z' }),
      printLine({ type: 'question', text: QUESTION, at: '2026-11-22T00:00:00Z' }),
    ]
    const backend = transcribing(replay({ folder, mode: 'record', backend: live }), (line) =>
      lines.push(printLine(line)),
    )
    const first = await talk(QUESTION, { backend, readProject })
    server.answer()
    const again = await talk(QUESTION, { backend: replay({ folder, id: live.id }), readProject })
    expect(again.answer).toEqual(first.answer)
    const [recorded] = recordedQuestions(readTranscript(lines.join(''), 'file'))
    if (!recorded) throw new Error('there is no question')
    const played = await talk(recorded.question, { backend: recorded.backend, readProject })
    expect(played.answer).toMatchObject(ANSWER)
    expect(recorded.changed()).toEqual([])
    expect(server.requests).toEqual([])
  })
})

import {
  askInPlace,
  type Talk,
  talk,
  type TalkEvent,
  type TalkOptions,
  toExchange,
} from '@stagecraft/assistant'
import { scripted, type ScriptedAnswer, type ScriptedBackend } from '@stagecraft/llm'
import { type BackendRequest, BackendError, StagecraftError } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { SHOP_FILES, viewOf } from './views.ts'

const view = await viewOf(SHOP_FILES)
const readProject = askInPlace(() => Promise.resolve(view))

/** An answer that calls tools. */
function calls(...wanted: readonly (readonly [name: string, input: object])[]): ScriptedAnswer {
  return { toolCalls: wanted.map(([name, input], index) => ({ id: `call_${name}_${index}`, name, input })) }
}

interface Told extends Talk {
  readonly backend: ScriptedBackend
  readonly events: readonly TalkEvent[]
}

async function tell(
  script: readonly ScriptedAnswer[],
  { question = 'Where is fct_orders used?', ...options }: Partial<TalkOptions> & { question?: string } = {},
): Promise<Told> {
  const backend = scripted(script)
  const events: TalkEvent[] = []
  const result = await talk(question, {
    backend,
    readProject,
    onEvent: (event) => events.push(event),
    ...options,
  })
  return { ...result, backend, events }
}

function resultsOf(request: BackendRequest | undefined): readonly { text: string; isError?: boolean }[] {
  const turn = request?.turns.findLast(({ role }) => role === 'tool')
  return turn?.role === 'tool' ? turn.results : []
}

const USES = calls(['find_uses', { id: 'fct_orders' }])

test('answers with marks for places that a tool result named', async () => {
  const { answer, backend } = await tell([
    USES,
    'The exposure reads it [models/sources.yml:7] and so does a test [tests/no_negative_totals.sql:1].',
  ])
  expect(answer).toMatchObject({
    text: 'The exposure reads it [1] and so does a test [2].',
    citations: [
      { mark: 1, file: 'models/sources.yml', line: 7 },
      {
        mark: 2,
        file: 'tests/no_negative_totals.sql',
        line: 1,
        text: "select * from {{ ref('fct_orders') }} where total < 0",
      },
    ],
    answeredBy: 'model',
    backend: 'scripted',
    droppedCitations: 0,
    unproven: 0,
    calls: 1,
    usage: { input: 200, output: 20, attempts: 2 },
  })
  expect(JSON.parse(resultsOf(backend.requests[1])[0]?.text ?? '')).toMatchObject({
    untrusted: true,
    total: 2,
  })
})

test.each([
  ['a file that no result named', 'It is in `x` [models/fct_orders.sql:1].'],
  ['a line that no result named', 'It is in `x` [models/sources.yml:3].'],
  ['a file outside of the project', 'It is in `x` [/etc/passwd:1].'],
  ['a line behind the end', 'It is in `x` [tests/no_negative_totals.sql:999].'],
  ['lines of which one was not named', 'It is in `x` [models/sources.yml:7-8].'],
  ['lines backwards', 'It is in `x` [models/sources.yml:7-3].'],
])('drops a citation of %s, counts it and marks the sentence', async (_, text) => {
  const { answer } = await tell([USES, text])
  expect(answer).toMatchObject({
    text: 'It is in `x`. [?]',
    citations: [],
    droppedCitations: 1,
    unproven: 1,
  })
})

test('drops a citation whose line is another by now', async () => {
  const later = await viewOf({
    ...SHOP_FILES,
    'tests/no_negative_totals.sql': 'select 1 from {{ ref("fct_orders") }}\n',
  })
  let reads = 0
  const { answer } = await tell([USES, 'A test reads `it` [tests/no_negative_totals.sql:1].'], {
    readProject: askInPlace(() => Promise.resolve((reads += 1) <= 2 ? view : later)),
  })
  expect(answer).toMatchObject({ citations: [], droppedCitations: 1, unproven: 1 })
})

test('cites in a later question what an earlier one looked up, and nothing that only the text says', async () => {
  const first = await tell([USES, 'A test reads it [tests/no_negative_totals.sql:1].'])
  const history = [toExchange(first.answer)]
  expect(history[0]?.answer).toBe('A test reads it [tests/no_negative_totals.sql:1].')
  const second = await tell(
    ['As said, `no_negative_totals` does [tests/no_negative_totals.sql:1] and [models/fct_orders.sql:2].'],
    { history, seen: first.seen, question: 'Are you sure?' },
  )
  expect(second.answer).toMatchObject({
    citations: [{ file: 'tests/no_negative_totals.sql', line: 1 }],
    droppedCitations: 1,
  })
  expect(JSON.stringify(second.backend.requests[0]?.turns)).toContain('A test reads it')
})

test('marks sentences that state something without a place, and no others', async () => {
  const { answer } = await tell([
    USES,
    `## Where it is used

It is used in two places:

- \`weekly\` reads it [models/sources.yml:7].
- \`monthly\` reads it.
- Nothing else.

There are 14 models. Shall I look further into \`fct_orders\`?

\`\`\`sql
select fct_orders.total
\`\`\`

| Model | Place |
| --- | --- |
| fct_orders | somewhere |

Unknown: rows are not known [models/sources.yml:7]
**Unknown:**
- who runs it
`,
  ])
  expect(answer.text).toBe(`## Where it is used

It is used in two places:

- \`weekly\` reads it [1].
- \`monthly\` reads it. [?]
- Nothing else.

There are 14 models. [?] Shall I look further into \`fct_orders\`?

\`\`\`sql
select fct_orders.total
\`\`\`

| Model | Place |
| --- | --- |
| fct_orders | somewhere | [?]`)
  expect(answer).toMatchObject({ unproven: 3, unknown: ['rows are not known', 'who runs it'] })
})

test('takes several places in one bracket, and leaves brackets that are text', async () => {
  const { answer } = await tell([
    USES,
    'Two places [models/sources.yml:7; tests/no_negative_totals.sql:1, 1] of `a[0]` and [sic].',
  ])
  expect(answer.text).toBe('Two places [1][2][2] of `a[0]` and [sic].')
})

test('lets no address, picture, element, secret or invisible character into an answer', async () => {
  const { answer, events } = await tell([
    USES,
    'See ![x](https://evil.example/?d=1) and [here](https://evil.example) or https://evil.example/a.\n<img src="//evil.example/x"> key sk-ant-api03-hunter2hunter2hunter2 \u202Etxet\u0007 [a]: //evil',
  ])
  const shown = JSON.stringify([answer, events])
  expect(shown).not.toMatch(/evil\.example|<img|hunter2|\u202e|\\u0007/u)
  expect(answer.text).toContain('See x and here or (address left out)')
})

describe('the loop', () => {
  test('gives errors of tools to the model and goes on', async () => {
    const { answer, backend, events } = await tell([
      calls(['find_uses', { id: 'fct_order' }], ['delete_everything', {}], ['get_lineage', { depth: 'x' }]),
      USES,
      'A test reads it [tests/no_negative_totals.sql:1].',
    ])
    expect(resultsOf(backend.requests[1])).toEqual([
      { id: 'call_find_uses_0', isError: true, text: expect.stringContaining('the closest name is') },
      {
        id: 'call_delete_everything_1',
        isError: true,
        text: expect.stringContaining('there is no such tool'),
      },
      { id: 'call_get_lineage_2', isError: true, text: expect.stringContaining('depth') },
    ])
    for (const { text } of resultsOf(backend.requests[1]))
      expect(JSON.parse(text)).toMatchObject({ untrusted: true })
    expect(answer).toMatchObject({ answeredBy: 'model', calls: 4, unproven: 0 })
    expect(events.filter(({ type }) => type === 'tool.finished')).toMatchObject([
      { ok: false },
      { ok: false },
      { ok: false },
      { ok: true, name: 'find_uses', summary: '2 found' },
    ])
  })

  test('does not repeat a call, whatever the order of its keys', async () => {
    const { backend } = await tell([
      calls(['get_resource', { id: 'fct_orders', part: 'sql', cursor: null, limit: null }]),
      calls(['get_resource', { part: 'sql', limit: null, id: 'fct_orders' }]),
      'Unknown: all',
    ])
    expect(resultsOf(backend.requests[1])[0]).not.toHaveProperty('isError')
    expect(resultsOf(backend.requests[2])[0]).toMatchObject({
      isError: true,
      text: expect.stringContaining('answered above'),
    })
  })

  test('an unexpected failure of a tool is told to the log and not to the model', async () => {
    const faults: unknown[] = []
    let reads = 0
    const { answer, backend } = await tell([USES, 'Unknown: it failed'], {
      readProject: askInPlace(() =>
        (reads += 1) === 2 ? Promise.reject(new Error('disk of hunter2 is gone')) : Promise.resolve(view),
      ),
      onFault: (error) => faults.push(error),
    })
    expect(resultsOf(backend.requests[1])[0]?.text).toBe(
      '{"untrusted":true,"error":"the tool failed unexpectedly"}',
    )
    expect(faults).toHaveLength(1)
    expect(answer.unknown).toEqual(['it failed'])
  })

  test.each([
    ['turns', { turns: 2 }],
    ['calls', { calls: 1 }],
    ['tokens', { tokens: 140 }],
    ['cost', { cost: 0.000_13, prices: { input: 1, output: 1 } }],
  ] as const)('asks for the answer, without tools, when %s are used up', async (bound, limits) => {
    const { answer, backend } = await tell([USES, 'It is used [models/sources.yml:7].'], { limits })
    expect(answer).toMatchObject({ stoppedBy: bound, citations: [{ line: 7 }] })
    const [first, last] = backend.requests
    expect(first).not.toHaveProperty('toolChoice')
    expect(last).toMatchObject({ toolChoice: 'none' })
    expect(last?.tools).toEqual(first?.tools)
    expect(last?.turns.at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('Answer now') })
  })

  test('time is a bound, and what is left of it is the time of the next call', async () => {
    let time = 0
    const { answer, backend } = await tell([USES, 'Unknown: it takes too long'], {
      limits: { seconds: 10 },
      now: () => (time += 4000),
    })
    expect(answer.stoppedBy).toBe('seconds')
    expect(backend.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([6000, 2000])
  })

  test('calls beyond the bound are refused one by one', async () => {
    const { backend, answer } = await tell(
      [
        calls(
          ['find_uses', { id: 'fct_orders' }],
          ['find_uses', { id: 'stg_shop__orders' }],
          ['project_overview', {}],
        ),
        'Unknown: more',
      ],
      { limits: { calls: 2 } },
    )
    expect(resultsOf(backend.requests[1]).map(({ isError = false }) => isError)).toEqual([false, false, true])
    expect(answer.calls).toBe(2)
  })

  test('a model that calls tools when it must answer gets no further turn', async () => {
    const { answer } = await tell([USES, calls(['project_overview', {}])], { limits: { turns: 2 } })
    expect(answer).toMatchObject({
      answeredBy: 'rules',
      fallback: 'the model gave an empty answer',
      calls: 1,
    })
  })

  test('results make room for later ones, and may be asked for again', async () => {
    const big = await viewOf({
      ...SHOP_FILES,
      'models/wide.py': Array.from({ length: 540 }, (_, index) => `# ${'x'.repeat(290)}_${index}\n`).join(''),
    })
    const input = { id: 'wide', part: 'sql', limit: 50 }
    const backend = scripted((request, attempt) => {
      const [last] = resultsOf(request)
      const cursor =
        last && !last.isError ? (JSON.parse(last.text) as { nextCursor?: string }).nextCursor : undefined
      if (attempt <= 21) return calls(['get_resource', { ...input, ...(cursor !== undefined && { cursor }) }])
      return attempt === 22 ? calls(['get_resource', input]) : 'Unknown: the rest'
    })
    await talk('What is in wide?', {
      backend,
      readProject: askInPlace(() => Promise.resolve(big)),
      limits: { turns: 40, tokens: 1_000_000 },
    })
    const held = backend.requests.at(-1)?.turns.flatMap((turn) => (turn.role === 'tool' ? turn.results : []))
    const bytes = held?.reduce((sum, { text }) => sum + text.length, 0) ?? 0
    expect(bytes).toBeLessThan(170 * 1024)
    expect(held?.[0]?.text).toContain('to make room')
    expect(held?.at(-1)).not.toHaveProperty('isError')
  })

  test('results that are too large together are asked for one by one', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [
        `models/wide_${index}.py`,
        Array.from({ length: 60 }, (__, line) => `# ${'y'.repeat(150)}_${line}\n`).join(''),
      ]),
    )
    const wide = await viewOf({ ...SHOP_FILES, ...files })
    const { backend } = await tell(
      [
        calls(
          ...[0, 1, 2, 3, 4].map(
            (index) => ['get_resource', { id: `wide_${index}`, part: 'sql', limit: 50 }] as const,
          ),
        ),
        calls(['get_resource', { id: 'wide_4', part: 'sql', limit: 50 }]),
        'Unknown: all',
      ],
      { readProject: askInPlace(() => Promise.resolve(wide)) },
    )
    expect(resultsOf(backend.requests[1]).at(-1)).toMatchObject({ isError: true })
    expect(resultsOf(backend.requests[2])[0]).not.toHaveProperty('isError')
  })
})

describe('without an answer of the model, the rules answer and say so', () => {
  test.each<[string, ScriptedAnswer, string]>([
    ['a failing provider', new BackendError('overloaded', 'scripted: overloaded'), 'scripted: overloaded'],
    ['a server without tools', new BackendError('bad_request', 'scripted: tools are not known'), 'tools'],
    ['a refusal', { stop: 'refused', text: 'no' }, 'refused to answer'],
    ['a filter', { stop: 'filtered', text: '' }, 'withheld'],
    ['silence', '   ', 'gave an empty answer'],
    ['an answer out of nothing', 'It is used in `weekly`.', 'made no tool call'],
  ])('%s', async (_, script, fallback) => {
    const { answer } = await tell([script])
    expect(answer).toMatchObject({
      answeredBy: 'rules',
      fallback: expect.stringContaining(fallback),
      backend: 'scripted',
      citations: [
        { file: 'models/sources.yml', line: 7 },
        { file: 'tests/no_negative_totals.sql', line: 1 },
      ],
      computed: { tool: 'find_uses' },
    })
    expect(answer.usage.attempts).toBe(1)
  })

  test('a question that rules cannot answer fails with what it cost', async () => {
    const error: unknown = await tell([USES, new BackendError('timeout', 'scripted: no answer in time')], {
      question: 'Why is it so?',
    }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StagecraftError)
    expect(error).toMatchObject({
      code: 'GENERATION_FAILED',
      details: { kind: 'timeout', tokensUsed: 110, retryable: true },
    })
  })

  test('no model at all', async () => {
    const { answer } = await talk('Where is fct_orders used?', { readProject })
    expect(answer).toMatchObject({ answeredBy: 'rules', usage: { attempts: 0 } })
    expect(answer).not.toHaveProperty('fallback')
    await expect(talk('Why?', { readProject })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})

test('a signal ends it with its reason, also between two calls of tools', async () => {
  const stop = new AbortController()
  const reason = new Error('stopped')
  const going = tell([USES, 'never'], {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type === 'tool.started') stop.abort(reason)
    },
  })
  await expect(going).rejects.toBe(reason)
})

test('tells what happens on the way, in order', async () => {
  const { events } = await tell([
    { ...(calls(['find_uses', { id: 'fct_orders' }]) as object), text: 'I look it up.\n' },
    'One [models/sources.yml:7].\nTwo.',
  ])
  expect(events.map(({ type }) => type)).toEqual([
    'text.delta',
    'text.reset',
    'usage',
    'tool.started',
    'tool.finished',
    'text.delta',
    'text.delta',
    'usage',
  ])
  expect(events.at(-1)).toMatchObject({ usage: { input: 200, output: 20, attempts: 2, incomplete: false } })
})

test.each(['', '   ', 'x'.repeat(8001)])('refuses the question %#', async (question) => {
  await expect(tell([], { question })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test('a cost needs prices', async () => {
  await expect(tell([], { limits: { cost: 1 } })).rejects.toThrow('prices of a million tokens')
})

import { hashText } from '@stagecraft/dbt'
import {
  type Backend,
  type BackendAnswer,
  type BackendRequest,
  redactSecrets,
  StagecraftError,
} from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { Answer } from './answer.ts'
import type { SeenLine } from './evidence.ts'
import { type Exchange, TALK_SYSTEM } from './prompt.ts'
import { type Talk, toExchange } from './talk.ts'

const VERSION = 1

const usageSchema = z.object({
  input: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  output: z.number(),
  reasoning: z.number(),
})

const modelSchema = z.object({
  type: z.literal('model'),
  stop: z.enum(['end', 'tool', 'truncated', 'refused', 'filtered']),
  text: z.string(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), input: z.unknown() })),
  usage: usageSchema.optional(),
  model: z.string(),
})

const resultsSchema = z.object({
  type: z.literal('results'),
  results: z.array(z.object({ id: z.string(), text: z.string(), hash: z.string(), isError: z.boolean() })),
})

const answerSchema = z.object({
  type: z.literal('answer'),
  answer: z.looseObject({
    question: z.string(),
    text: z.string(),
    citations: z.array(
      z.object({
        mark: z.number(),
        file: z.string(),
        line: z.number(),
        endLine: z.number().optional(),
        text: z.string(),
      }),
    ),
  }),
  seen: z.array(z.object({ file: z.string(), line: z.number(), hash: z.string() })),
})

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('conversation'),
    version: z.literal(VERSION),
    id: z.string(),
    backend: z.string().optional(),
    /** The hash of the system prompt: another prompt gives other answers. */
    system: z.string(),
    at: z.string(),
  }),
  z.object({ type: z.literal('question'), text: z.string(), at: z.string() }),
  modelSchema,
  resultsSchema,
  answerSchema,
  z.object({ type: z.literal('failure'), code: z.string(), message: z.string() }),
])

/** A line of a transcript: a question, a turn of the model or the tools, or an answer. */
export type TranscriptLine = z.infer<typeof lineSchema>

export function openingLine(
  id: string,
  { at, backend }: { readonly at: Date; readonly backend: string | undefined },
): TranscriptLine {
  return {
    type: 'conversation',
    version: VERSION,
    id,
    ...(backend !== undefined && { backend }),
    system: hashText(TALK_SYSTEM),
    at: at.toISOString(),
  }
}

export function answerLine({ answer, seen }: Talk): TranscriptLine {
  return { type: 'answer', answer: { ...answer, citations: [...answer.citations] }, seen: [...seen] }
}

/** Prints a line without secrets. */
export function printLine(line: TranscriptLine): string {
  return `${JSON.stringify(redacted(line))}\n`
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value)
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redacted(inner)]))
}

/** @throws {StagecraftError} INVALID_REQUEST for an invalid transcript. A truncated last line is ignored. */
export function readTranscript(text: string, name: string): readonly TranscriptLine[] {
  const rows = text.split('\n').filter((row) => row.trim() !== '')
  const lines = rows.flatMap((row, index): readonly TranscriptLine[] => {
    const parsed = lineSchema.safeParse(parseJson(row))
    if (parsed.success) return [parsed.data]
    if (index === rows.length - 1 && index > 0 && !text.endsWith('\n')) return []
    throw notTranscript(name, `something else in line ${index + 1}`)
  })
  if (lines[0]?.type !== 'conversation') throw notTranscript(name, 'something else')
  return lines
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function notTranscript(name: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: name, expected: 'a transcript of stagecraft ask', received })
}

/** Returns the state that the next question of a conversation needs. */
export function conversationOf(lines: readonly TranscriptLine[]): {
  readonly history: readonly Exchange[]
  readonly seen: readonly SeenLine[]
} {
  const answers = lines.filter((line) => line.type === 'answer')
  return {
    history: answers.map(({ answer }) => toExchange(answer)),
    seen: answers.at(-1)?.seen ?? [],
  }
}

/** Wraps a backend to record each answer of the model, preceded by the results it was given. */
export function transcribing(backend: Backend, write: (line: TranscriptLine) => void): Backend {
  return {
    id: backend.id,
    complete: async (request) => {
      const results = lastResults(request)
      if (results) write(results)
      const answer = await backend.complete(request)
      const { model, stop, text, toolCalls, usage } = answer
      write({
        type: 'model',
        stop,
        text,
        toolCalls: toolCalls.map(({ id, input, name }) => ({ id, name, input })),
        ...(usage && { usage }),
        model,
      })
      return answer
    },
  }
}

/** Returns the results that the model has not answered yet. */
function lastResults({ turns }: BackendRequest): (TranscriptLine & { readonly type: 'results' }) | undefined {
  const last = turns.findLast(({ role }) => role !== 'user')
  if (last?.role !== 'tool') return undefined
  return {
    type: 'results',
    results: last.results.map(({ id, isError = false, text }) => ({
      id,
      text,
      hash: hashText(text),
      isError,
    })),
  }
}

/** One question of a transcript, which can be replayed without a model. */
export interface RecordedQuestion {
  readonly question: string
  /** The recorded answer; undefined if there was none. */
  readonly answer: Pick<Answer, 'question' | 'text' | 'citations'> | undefined
  /** A backend that plays the recorded turns of the model. */
  readonly backend: Backend
  /** Returns the tools whose results have changed, after the replay. */
  readonly changed: () => readonly string[]
}

/** Returns the questions of a transcript. A replay runs the tools again on the current project. */
export function recordedQuestions(lines: readonly TranscriptLine[]): readonly RecordedQuestion[] {
  const first = lines.find((line) => line.type === 'conversation')
  const starts = lines.flatMap((line, index) => (line.type === 'question' ? [index] : []))
  return starts.flatMap((start, index) => {
    const [question, ...rest] = lines.slice(start, starts[index + 1])
    if (question?.type !== 'question') return []
    const answer = rest.find((line) => line.type === 'answer')?.answer
    return [{ question: question.text, answer, ...played(first?.backend ?? 'transcript', rest) }]
  })
}

function played(id: string, lines: readonly TranscriptLine[]): Pick<RecordedQuestion, 'backend' | 'changed'> {
  const answers = lines.filter((line) => line.type === 'model')
  const hashes = new Map(
    lines
      .filter((line) => line.type === 'results')
      .flatMap(({ results }) => results.map((result) => [result.id, result.hash] as const)),
  )
  const names = new Map(
    answers.flatMap(({ toolCalls }) => toolCalls.map((call) => [call.id, call.name] as const)),
  )
  const changed = new Set<string>()
  let next = 0
  const complete = async (request: BackendRequest): Promise<BackendAnswer> => {
    for (const { hash, id: call } of lastResults(request)?.results ?? [])
      if (hashes.get(call) !== hash) changed.add(names.get(call) ?? call)
    const line = answers[next]
    next += 1
    if (line) return Promise.resolve(toAnswer(line))
    throw new StagecraftError('GENERATION_FAILED', 'the transcript ends before an answer of the model', {
      details: { suggestion: 'ask the question again' },
    })
  }
  return { backend: { id, complete }, changed: () => [...changed] }
}

function toAnswer({
  model,
  stop,
  text,
  toolCalls,
  usage,
}: TranscriptLine & { type: 'model' }): BackendAnswer {
  return {
    stop,
    rawStop: stop,
    text,
    toolCalls: toolCalls.map(({ id, input, name }) => ({ id, name, input })),
    turn: { role: 'assistant', opaque: {} },
    usage,
    model,
  }
}

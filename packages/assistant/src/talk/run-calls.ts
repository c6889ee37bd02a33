import { StagecraftError, type ToolCall, type ToolResult as CallResult } from '@stagecraft/spec'
import type { QueryableProject } from '../queryable-project.ts'
import { cleanData, cleanText } from '../clean-text.ts'
import type { Tool, ToolResult } from '../tool.ts'
import type { ToolPorts } from '../tool-ports.ts'
import type { Evidence } from './evidence.ts'
import type { TalkEvent } from './talk-event.ts'
import { toToolInput } from './tool-schema.ts'

/** The most bytes of results in one turn; the model can ask for the rest. */
const TURN_BYTES = 24 * 1024

/** Results beyond this many bytes of a conversation are replaced, the oldest first. */
const HELD_BYTES = 160 * 1024

const LONGEST_ERROR = 1000

export interface CallsOptions {
  readonly tools: readonly Tool[]
  readonly ports: ToolPorts
  readonly evidence: Evidence
  readonly readProject: () => Promise<QueryableProject>
  readonly signal: AbortSignal | undefined
  readonly onEvent: (event: TalkEvent) => void
  /** Called with unexpected errors, whose details are not sent to the model. */
  readonly onFault: (error: unknown) => void
}

/** The results of one turn, as sent to the model. They can be replaced by a stub later. */
export interface TurnResult {
  readonly id: string
  text: string
  readonly isError: boolean
  readonly key: string
}

/** Calls the tools that a model asks for. */
export class ToolCaller {
  readonly #options: CallsOptions
  /** Answered calls whose results the model still has. */
  readonly #answered = new Set<string>()
  readonly #results: TurnResult[] = []
  #count = 0

  constructor(options: CallsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#count
  }

  /** Runs the calls of a turn one by one: they work on files in memory, so concurrency gains nothing. */
  async run(calls: readonly ToolCall[], room: number): Promise<readonly TurnResult[]> {
    const results: TurnResult[] = []
    let bytes = 0
    for (const [index, call] of calls.entries()) {
      this.#options.signal?.throwIfAborted()
      const left = TURN_BYTES - bytes
      const result = index < room ? await this.#call(call, left) : refused(call, 'no more calls are left')
      bytes += sizeOf(result.text)
      results.push(result)
    }
    this.#results.push(...results)
    this.#shrink()
    return results
  }

  async #call(call: ToolCall, left: number): Promise<TurnResult> {
    const { onEvent, tools } = this.#options
    this.#count += 1
    const input = cleanData(call.input)
    onEvent({ type: 'tool.started', call: call.id, name: cleanText(call.name, 100), input })
    const tool = tools.find(({ name }) => name === call.name)
    const result = tool ? await this.#answer(call, tool, left) : unknownTool(call, tools)
    onEvent({
      type: 'tool.finished',
      call: call.id,
      name: cleanText(call.name, 100),
      ok: !result.isError,
      summary: result.summary,
      bytes: sizeOf(result.text),
    })
    return { id: result.id, text: result.text, isError: result.isError, key: result.key }
  }

  async #answer(call: ToolCall, tool: Tool, left: number): Promise<Answered> {
    const given = toToolInput(tool, call.input)
    const key = `${tool.name} ${canonical(given)}`
    if (this.#answered.has(key)) return failed(call, 'this call was answered above; use that answer')
    try {
      const { evidence, ports, readProject } = this.#options
      const project = await readProject()
      const result = await project.call(tool, given, ports)
      const text = JSON.stringify(result)
      if (sizeOf(text) > left)
        return failed(call, 'the results of this turn are too large together; make this call alone')
      await evidence.add(project, result)
      this.#answered.add(key)
      return { id: call.id, text, isError: false, key, summary: summarize(result) }
    } catch (error) {
      this.#options.signal?.throwIfAborted()
      if (!(error instanceof StagecraftError)) this.#options.onFault(error)
      return failed(
        call,
        error instanceof StagecraftError ? messageOf(error) : 'the tool failed unexpectedly',
      )
    }
  }

  /** Replaces old results to make room for new ones. The model may repeat their calls. */
  #shrink(): void {
    let bytes = this.#results.reduce((sum, { text }) => sum + sizeOf(text), 0)
    for (const result of this.#results) {
      if (bytes <= HELD_BYTES) return
      bytes -= sizeOf(result.text) - STUB.length
      if (result.text !== STUB) this.#answered.delete(result.key)
      result.text = STUB
    }
  }
}

const STUB =
  '{"untrusted":true,"gone":"this result was dropped to make room; repeat the call if you need it"}'

interface Answered extends TurnResult {
  readonly summary: string
}

/** Converts results to the form of the port. */
export function toCallResults(results: readonly TurnResult[]): readonly CallResult[] {
  return results.map(({ id, isError, text }) => ({ id, text, ...(isError && { isError }) }))
}

function unknownTool(call: ToolCall, tools: readonly Tool[]): Answered {
  const names = tools.map(({ name }) => name).join(', ')
  return failed(call, `there is no such tool; the tools are ${names}`)
}

function refused(call: ToolCall, reason: string): TurnResult {
  const { id, isError, key, text } = failed(call, reason)
  return { id, isError, key, text }
}

/** Cleans messages, which repeat input and names of the project. */
function failed({ id }: ToolCall, reason: string): Answered {
  const error = cleanText(reason, LONGEST_ERROR)
  return {
    id,
    text: JSON.stringify({ untrusted: true, error }),
    isError: true,
    key: '',
    summary: cleanText(reason),
  }
}

function messageOf({ details, message }: StagecraftError): string {
  const suggestion = details?.suggestion
  return suggestion === undefined || message.includes(suggestion) ? message : `${message}; ${suggestion}`
}

function summarize({ items, nextCursor, total }: ToolResult): string {
  return nextCursor === undefined ? `${total} found` : `${items.length} of ${total}`
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Prints equal inputs as the same text, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

import { StagecraftError, type ToolCall, type ToolResult as CallResult } from '@stagecraft/spec'
import type { AskedProject } from '../asked-project.ts'
import { cleanData, cleanText } from '../clean-text.ts'
import type { Tool, ToolResult } from '../tool.ts'
import type { ToolPorts } from '../tool-ports.ts'
import type { Evidence } from './evidence.ts'
import type { TalkEvent } from './talk-event.ts'
import { toToolInput } from './tool-schema.ts'

/** The most bytes of results that go into one turn; the model can ask for the rest again. */
const TURN_BYTES = 24 * 1024

/** Results beyond this many bytes of a conversation are replaced, the oldest first. */
const HELD_BYTES = 160 * 1024

const LONGEST_ERROR = 1000

export interface CallsOptions {
  readonly tools: readonly Tool[]
  readonly ports: ToolPorts
  readonly evidence: Evidence
  readonly readProject: () => Promise<AskedProject>
  readonly signal: AbortSignal | undefined
  readonly onEvent: (event: TalkEvent) => void
  /** Told of what fails unexpectedly; the model is told no more than that it failed. */
  readonly onFault: (error: unknown) => void
}

/** The results of one turn, as the model gets them. They can be replaced by a stub later. */
export interface HeldResult {
  readonly id: string
  text: string
  readonly isError: boolean
  readonly key: string
}

/** Calls the tools that a model asks for. */
export class ToolCaller {
  readonly #options: CallsOptions
  /** Calls that were answered and whose answer the model still has. */
  readonly #answered = new Set<string>()
  readonly #held: HeldResult[] = []
  #count = 0

  constructor(options: CallsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#count
  }

  /** Runs the calls of a turn one after the other: they work on files in memory, and nothing is gained by more at once. */
  async run(calls: readonly ToolCall[], room: number): Promise<readonly HeldResult[]> {
    const results: HeldResult[] = []
    let bytes = 0
    for (const [index, call] of calls.entries()) {
      this.#options.signal?.throwIfAborted()
      const left = TURN_BYTES - bytes
      const result = index < room ? await this.#call(call, left) : refused(call, 'no more calls are left')
      bytes += sizeOf(result.text)
      results.push(result)
    }
    this.#held.push(...results)
    this.#shrink()
    return results
  }

  async #call(call: ToolCall, left: number): Promise<HeldResult> {
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
    if (this.#answered.has(key)) return failed(call, 'the same call was answered above; use that answer')
    try {
      const { evidence, ports, readProject } = this.#options
      const project = await readProject()
      const result = await project.call(tool, given, ports)
      const text = JSON.stringify(result)
      if (sizeOf(text) > left)
        return failed(call, 'the results of this turn are too large together; ask for this one by itself')
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

  /** Old results make room for new ones. The model may make their calls again. */
  #shrink(): void {
    let bytes = this.#held.reduce((sum, { text }) => sum + sizeOf(text), 0)
    for (const result of this.#held) {
      if (bytes <= HELD_BYTES) return
      bytes -= sizeOf(result.text) - STUB.length
      if (result.text !== STUB) this.#answered.delete(result.key)
      result.text = STUB
    }
  }
}

const STUB =
  '{"untrusted":true,"gone":"this result made room for later ones; make the call again if it is needed"}'

interface Answered extends HeldResult {
  readonly summary: string
}

/** Results as the port takes them. */
export function toCallResults(results: readonly HeldResult[]): readonly CallResult[] {
  return results.map(({ id, isError, text }) => ({ id, text, ...(isError && { isError }) }))
}

function unknownTool(call: ToolCall, tools: readonly Tool[]): Answered {
  const names = tools.map(({ name }) => name).join(', ')
  return failed(call, `there is no such tool; there are ${names}`)
}

function refused(call: ToolCall, reason: string): HeldResult {
  const { id, isError, key, text } = failed(call, reason)
  return { id, isError, key, text }
}

/** Messages repeat what was given, and names of the project. */
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

/** One text for equal inputs, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

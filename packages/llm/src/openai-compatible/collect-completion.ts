import { type Fields, fieldsOf, isFields, listOf } from '../provider/shapes.ts'
import { Unanswered } from '../provider/unanswered.ts'

type OnText = (delta: string) => void

/** Collects a stream of chunks into the completion that the API returns without streaming. */
export async function collectCompletion(chunks: AsyncIterable<unknown>, onText: OnText): Promise<Fields> {
  const draft = new CompletionDraft(onText)
  for await (const chunk of chunks) draft.take(fieldsOf(chunk, 'a chunk'))
  if (!draft.isWhole) throw new Unanswered('network', 'the stream ended early')
  return draft.completion
}

class CompletionDraft {
  readonly #onText: OnText
  readonly #calls: Fields[] = []
  #message: Fields = { role: 'assistant', content: null }
  #finishReason: unknown
  #model: unknown
  #usage: unknown

  constructor(onText: OnText) {
    this.#onText = onText
  }

  get isWhole(): boolean {
    return typeof this.#finishReason === 'string'
  }

  get completion(): Fields {
    const calls = this.#calls.length > 0 && { tool_calls: this.#calls }
    const choice = { message: { ...this.#message, ...calls }, finish_reason: this.#finishReason }
    return { model: this.#model, choices: [choice], usage: this.#usage }
  }

  /** The last chunk has the usage and no choice. */
  take({ choices, model, usage }: Fields): void {
    this.#model ??= model
    this.#usage = usage ?? this.#usage
    const [choice] = listOf(choices, 'choices')
    if (choice === undefined) return
    this.#finishReason = choice['finish_reason'] ?? this.#finishReason
    if (isFields(choice['delta'])) this.#add(choice['delta'])
  }

  /** Appends texts, such as `content` and the members for thoughts; replaces all other members. */
  #add({ tool_calls: calls, ...delta }: Fields): void {
    for (const [key, value] of Object.entries(delta)) {
      if (typeof value !== 'string') continue
      this.#message = { ...this.#message, [key]: key === 'role' ? value : grown(this.#message[key], value) }
      if (key === 'content') this.#onText(value)
    }
    if (calls === undefined || calls === null) return
    for (const call of listOf(calls, 'tool_calls')) this.#addCall(call)
  }

  /** A piece belongs to the call with its index; servers without an index send each call in one piece. */
  #addCall({ index, ...piece }: Fields): void {
    const at = typeof index === 'number' ? index : this.#calls.length
    const place = Math.min(at, this.#calls.length)
    const before = this.#calls[place]
    this.#calls[place] = before === undefined ? piece : { ...before, function: joinFunctions(before, piece) }
  }
}

function grown(before: unknown, piece: string): string {
  return (typeof before === 'string' ? before : '') + piece
}

function joinFunctions(before: Fields, piece: Fields): Fields {
  const [called, added] = [before['function'], piece['function']].map((part) => (isFields(part) ? part : {}))
  const { arguments: more } = added ?? {}
  return { ...called, arguments: grown(called?.['arguments'], typeof more === 'string' ? more : '') }
}

import { type Fields, fieldsOf, isFields, jsonOrText, textOf } from '../provider/shapes.ts'
import { lookup } from '../provider/lookup.ts'
import { Unanswered } from '../provider/unanswered.ts'

type OnText = (delta: string) => void

/** Collects a stream of events into the message that the API returns without streaming. */
export async function collectMessage(events: AsyncIterable<unknown>, onText: OnText): Promise<Fields> {
  const draft = new MessageDraft(onText)
  for await (const event of events) {
    draft.take(fieldsOf(event, 'an event'))
    if (draft.isWhole) return draft.message
  }
  // The SDK's loop ends here without an error.
  throw new Unanswered('network', 'the stream ended early')
}

class MessageDraft {
  isWhole = false
  readonly #onText: OnText
  readonly #blocks = new Map<unknown, BlockDraft>()
  #start: Fields | undefined
  #end: Fields = {}
  #usage: Fields | undefined

  constructor(onText: OnText) {
    this.#onText = onText
  }

  get message(): Fields {
    const content = [...this.#blocks]
      .toSorted(([left], [right]) => Number(left) - Number(right))
      .map(([, block]) => block.content)
    return { ...this.#start, ...this.#end, content, usage: this.#usage }
  }

  /** Unknown events are skipped: the API may add some. */
  take(event: Fields): void {
    switch (event['type']) {
      case 'message_start':
        if (this.#start !== undefined) throw new Unanswered('malformed', 'two messages in one stream')
        this.#start = fieldsOf(event['message'], 'the message')
        break
      case 'content_block_start':
        this.#blocks.set(event['index'], new BlockDraft(fieldsOf(event['content_block'], 'a content block')))
        break
      case 'content_block_delta':
        this.#blockOf(event).add(fieldsOf(event['delta'], 'a delta'), this.#onText)
        break
      case 'message_delta':
        this.#takeEnd(event)
        break
      case 'message_stop':
        if (this.#start === undefined) throw new Unanswered('malformed', 'a stream without a message')
        this.isWhole = true
        break
      default:
    }
  }

  #blockOf({ index }: Fields): BlockDraft {
    const block = this.#blocks.get(index)
    if (block === undefined) throw new Unanswered('malformed', 'a delta without a content block')
    return block
  }

  /** The last event has the totals; only the first one has the input tokens. */
  #takeEnd({ delta, usage }: Fields): void {
    this.#end = { ...this.#end, ...fieldsOf(delta, 'a delta') }
    if (!isFields(usage)) return
    const reported = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined)
    const started = this.#start?.['usage']
    this.#usage = { ...(isFields(started) && started), ...this.#usage, ...Object.fromEntries(reported) }
  }
}

class BlockDraft {
  #block: Fields
  #json = ''

  constructor(block: Fields) {
    this.#block = block
  }

  get content(): Fields {
    return this.#json === '' ? this.#block : { ...this.#block, input: jsonOrText(this.#json) }
  }

  add(delta: Fields, onText: OnText): void {
    const type = textOf(delta['type'], 'the type of a delta')
    if (type === 'text_delta') onText(textOf(delta['text'], 'text'))
    if (type === 'input_json_delta') this.#json += textOf(delta['partial_json'], 'partial_json')
    const key = lookup(APPENDED, type)
    if (key !== undefined) this.#block = { ...this.#block, [key]: this.#appended(key, delta[key]) }
    if (type === 'citations_delta') this.#cite(delta['citation'])
  }

  #appended(key: string, piece: unknown): string {
    const before = this.#block[key]
    return (typeof before === 'string' ? before : '') + textOf(piece, key)
  }

  #cite(citation: unknown): void {
    const before = this.#block['citations']
    this.#block = { ...this.#block, citations: [...(Array.isArray(before) ? before : []), citation] }
  }
}

/** The member that each type of text delta extends. */
const APPENDED: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
}

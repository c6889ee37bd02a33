import { Transform, type TransformCallback } from 'node:stream'
import { check } from '@stagecraft/spec/validate'
import { z } from '@stagecraft/spec/zod'
import { cleanText } from '../clean-text.ts'

/** The answer to a message that cannot be read. https://www.jsonrpc.org/specification#error_object */
export interface MessageFault {
  readonly jsonrpc: '2.0'
  /** That of the request, if it could be read. */
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

/** The parameters that methods of the protocol require. */
const PARAMS: Readonly<Record<string, z.ZodObject>> = {
  initialize: z.looseObject({
    protocolVersion: z.string(),
    capabilities: z.looseObject({}),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
  'tools/call': z.looseObject({ name: z.string(), arguments: z.looseObject({}).optional() }),
  'resources/read': z.looseObject({ uri: z.string() }),
  'prompts/get': z.looseObject({
    name: z.string(),
    arguments: z.record(z.string(), z.string()).optional(),
  }),
}
const ANY_PARAMS = z.looseObject({}).optional()

/**
 * Returns the error of a text that is not a valid message; undefined for a valid one.
 *
 * @param isMessage Returns true for a request, a notification or a response.
 */
export function faultOfMessage(
  text: string,
  isMessage: (value: unknown) => boolean,
): MessageFault | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fault(-32_700, 'the message is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fault(-32_600, 'the message is not a JSON object')
  const { id = null, method } = value as Readonly<Record<string, unknown>>
  const isId = id === null || typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id))
  // a notification gets no answer, not even an error
  if (isId && id !== null && typeof method === 'string') {
    const checked = check(z.looseObject({ params: PARAMS[method] ?? ANY_PARAMS }), value)
    const [first] = 'faults' in checked ? checked.faults : []
    if (first) {
      const message = `${method}: ${first.path}: expected ${first.expected}, got ${first.received}`
      return fault(-32_602, cleanText(message, 300), id)
    }
  }
  if (isMessage(value)) return undefined
  return fault(
    -32_600,
    'the message is not a request, a notification or a response of JSON-RPC 2.0',
    isId && typeof method === 'string' ? id : null,
  )
}

function fault(code: number, message: string, id: MessageFault['id'] = null): MessageFault {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** The longest line in bytes. The SDK closes the connection above 10 MB. */
const LONGEST_LINE = 8 * 1024 * 1024

/** Passes on lines that are valid messages; answers the others. */
export class MessageLines extends Transform {
  readonly #faultOf: (text: string) => MessageFault | undefined
  readonly #answer: (fault: MessageFault) => void
  #parts: Buffer[] = []
  #length = 0

  constructor(faultOf: (text: string) => MessageFault | undefined, answer: (fault: MessageFault) => void) {
    super()
    this.#faultOf = faultOf
    this.#answer = answer
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let start = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#add(chunk.subarray(start, end))
      this.#endLine()
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#endLine()
    done()
  }

  /** Counts a line that is too long, but does not store it. */
  #add(part: Buffer): void {
    this.#length += part.length
    if (this.#length > LONGEST_LINE) this.#parts = []
    else this.#parts.push(part)
  }

  #endLine(): void {
    const line = Buffer.concat(this.#parts)
    const isTooLong = this.#length > LONGEST_LINE
    this.#parts = []
    this.#length = 0
    const text = line.toString('utf8')
    if (!isTooLong && text.trim() === '') return
    const found = isTooLong ? fault(-32_600, 'the message is longer than 8 MB') : this.#faultOf(text)
    if (found) this.#answer(found)
    else this.push(Buffer.concat([line, Buffer.from('\n')]))
  }
}

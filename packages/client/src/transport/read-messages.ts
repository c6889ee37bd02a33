/** A server-sent event. */
export interface Message {
  /** The position after it; undefined if it has none. */
  readonly id: string | undefined
  readonly data: string
}

/** The maximum length of a line, in characters. */
const LONGEST = 2 ** 20

/** Reads server-sent events until the body ends. Ignores comments and unknown fields. */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  let id: string | undefined
  let data: string[] = []
  for await (const line of readLines(body)) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') }
      id = undefined
      data = []
    } else if (field === 'id') id = value
    else if (field === 'data') data.push(value)
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      if (text.length > LONGEST) return
      for (const line of lines) yield line.replace(/\r$/, '')
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

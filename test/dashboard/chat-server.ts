// A server of chat completions whose answers are known before, as a language model of the assistant.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What the model does next: it says something, or calls a tool. */
type ChatAnswer = string | { readonly tool: string; readonly input: unknown }

/** The question, and how many results of tools have come since it was asked. */
export interface ChatTurn {
  readonly question: string
  readonly results: readonly string[]
}

type Answerer = (turn: ChatTurn) => ChatAnswer

export interface ChatServer {
  readonly url: string
  readonly close: () => void
}

interface ChatMessage {
  readonly role: string
  readonly content?: unknown
}

/** Opens the server; `answer` is asked at each turn. */
export async function openChatServer(answer: Answerer): Promise<ChatServer> {
  const server = createServer((request, response) => void reply(request, response, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function reply(request: IncomingMessage, response: ServerResponse, answer: Answerer): Promise<void> {
  try {
    const stream = toStream(answer(await readTurn(request)))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream)
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}

async function readTurn(request: IncomingMessage): Promise<ChatTurn> {
  const { messages } = JSON.parse(await text(request)) as { readonly messages: readonly ChatMessage[] }
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const results = messages.slice(asked).filter(({ role }) => role === 'tool')
  return { question: textOf(messages[asked]), results: results.map(textOf) }
}

function textOf(message: ChatMessage | undefined): string {
  return typeof message?.content === 'string' ? message.content : JSON.stringify(message?.content)
}

function toStream(answer: ChatAnswer): string {
  const delta =
    typeof answer === 'string'
      ? { role: 'assistant', content: answer }
      : { role: 'assistant', content: null, tool_calls: [{ index: 0, ...toCall(answer) }] }
  const usage = { prompt_tokens: 1800, completion_tokens: 120, total_tokens: 1920 }
  const chunks = [
    toChunk({ choices: [{ index: 0, delta, finish_reason: null }] }),
    toChunk({
      choices: [{ index: 0, delta: {}, finish_reason: typeof answer === 'string' ? 'stop' : 'tool_calls' }],
    }),
    toChunk({ choices: [], usage }),
  ]
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
}

function toCall({ input, tool }: Exclude<ChatAnswer, string>) {
  return { id: `call_${tool}`, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } }
}

function toChunk(more: object): object {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'test', ...more }
}

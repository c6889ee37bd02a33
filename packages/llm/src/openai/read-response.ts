import type { BackendAnswer } from '@stagecraft/spec'
import { failureOf } from '../provider/explain.ts'
import type { ProviderAnswer } from '../provider/provider-backend.ts'
import { type Fields, fieldsOf, isFields, jsonOrText, listOf, ofType, textOf } from '../provider/shapes.ts'
import { Unanswered } from '../provider/unanswered.ts'
import { readUsage } from '../provider/usage.ts'

/** @throws {Unanswered} For a failed response, which has status 200 too, and for an unfinished one. */
export function readResponse(body: unknown, model: string): ProviderAnswer {
  const response = fieldsOf(body, 'the response')
  if (response['status'] === 'failed') throw failed(response['error'])
  const items = listOf(response['output'], 'output')
  const contents = ofType(items, 'message').flatMap((item) => listOf(item['content'], 'content'))
  const toolCalls = ofType(items, 'function_call').map(readToolCall)
  const refusals = ofType(contents, 'refusal').map((part) => textOf(part['refusal'], 'refusal'))
  const texts = ofType(contents, 'output_text').map((part) => textOf(part['text'], 'text'))
  return {
    ...readStop(response, { isTool: toolCalls.length > 0, isRefusal: refusals.length > 0 }),
    text: [...texts, ...refusals].join(''),
    toolCalls,
    turn: { role: 'assistant', opaque: items },
    usage: readUsage(response['usage'], {
      input: 'input_tokens',
      cacheRead: 'input_tokens_details.cached_tokens',
      cacheWrite: 'input_tokens_details.cache_write_tokens',
      output: 'output_tokens',
      reasoning: 'output_tokens_details.reasoning_tokens',
    }),
    model: typeof response['model'] === 'string' ? response['model'] : model,
  }
}

function failed(error: unknown): Unanswered {
  const code = isFields(error) ? error['code'] : undefined
  return new Unanswered(failureOf(typeof code === 'string' ? [code] : [], undefined), 'the response failed')
}

function readToolCall(item: Fields) {
  return {
    id: textOf(item['call_id'], 'the id of a tool call'),
    name: textOf(item['name'], 'the name of a tool call'),
    input: jsonOrText(textOf(item['arguments'], 'the arguments of a tool call')),
  }
}

function readStop(
  { status, incomplete_details: details }: Fields,
  { isTool, isRefusal }: { readonly isTool: boolean; readonly isRefusal: boolean },
): Pick<BackendAnswer, 'stop' | 'rawStop'> {
  if (status === 'incomplete') {
    const reason = isFields(details) && typeof details['reason'] === 'string' ? details['reason'] : status
    return { stop: reason === 'content_filter' ? 'filtered' : 'truncated', rawStop: reason }
  }
  if (status !== 'completed') throw new Unanswered('malformed', 'the response is not complete')
  if (isRefusal) return { stop: 'refused', rawStop: 'refusal' }
  return { stop: isTool ? 'tool' : 'end', rawStop: status }
}

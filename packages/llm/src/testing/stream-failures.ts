import { ANSWER, type Behaviour } from './behaviour.ts'
import { endlessEvents, events } from './replies.ts'

export const STREAM_FAILURES: readonly Behaviour[] = [
  {
    name: 'an error in a stream',
    isStream: true,
    replies: ({ stream, errorFrame }) => [events([...stream(ANSWER).slice(0, 2), errorFrame])],
    failure: 'overloaded',
    status: 200,
  },
  {
    name: 'a stream that breaks',
    isStream: true,
    replies: ({ stream }) => [events(stream(ANSWER).slice(0, 3), 'reset')],
    failure: 'network',
    status: 200,
  },
  {
    name: 'a stream that ends early',
    isStream: true,
    replies: ({ stream }) => [events(stream(ANSWER).slice(0, 3))],
    failure: 'network',
    status: 200,
  },
  {
    name: 'a stream that ends inside an event',
    isStream: true,
    replies: ({ stream }) => [events([...stream(ANSWER).slice(0, 2), 'data: {"type":"resp'])],
    failure: 'network',
    status: 200,
  },
  {
    name: 'a stream with an event that is not JSON',
    isStream: true,
    replies: ({ stream }) => [
      events([...stream(ANSWER).slice(0, 2), 'event: message_delta\ndata: {"a": tru\n\n']),
    ],
    failure: 'malformed',
    status: 200,
  },
  {
    name: 'a stream that stops and stays open',
    isStream: true,
    timeoutMs: 150,
    replies: ({ stream }) => [events(stream(ANSWER).slice(0, 3), 'hang')],
    failure: 'timeout',
    status: 200,
  },
  {
    name: 'a stream without an end',
    isStream: true,
    timeoutMs: 20_000,
    replies: ({ stream, textFrame }) => [
      endlessEvents(stream(ANSWER).slice(0, 2), textFrame('x'.repeat(1_000_000))),
    ],
    failure: 'malformed',
    status: 200,
  },
]

import { EVENT_KIND_NAMES } from '@stagecraft/spec/api'
import type { WebhookEventKind } from '@stagecraft/webhooks/verify'
import { expect, test } from 'vitest'

/** Compiles with exactly the kinds of the receiver's side, which may import nothing. */
const RECEIVED = {
  'unit.created': true,
  'unit.updated': true,
  'unit.deleted': true,
  'generation.started': true,
  'generation.completed': true,
  'generation.failed': true,
  'scan.completed': true,
  'push.completed': true,
} as const satisfies Record<WebhookEventKind, true>

test('receivers know exactly the kinds that the service sends', () => {
  expect(Object.keys(RECEIVED)).toEqual([...EVENT_KIND_NAMES])
})

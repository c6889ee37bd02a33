import type { EventKind } from '@stagecraft/spec/api'
import type { WebhookEvent, WebhookEventKind } from '@stagecraft/webhooks/verify'
import { expectTypeOf, test } from 'vitest'

test('receivers know the kinds that the service sends, written down where nothing may be imported', () => {
  expectTypeOf<WebhookEventKind>().toEqualTypeOf<EventKind>()
  expectTypeOf<EventKind>().toExtend<WebhookEvent['event']>()
})

import type { Lookup } from '@stagecraft/webhooks'

export interface WebhookOptions {
  /** Stands in for the DNS of the system when a URL is given. */
  readonly lookup?: Lookup | undefined
}

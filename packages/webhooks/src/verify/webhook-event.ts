/** The kinds of events. */
export type WebhookEventKind =
  | 'unit.created'
  | 'unit.updated'
  | 'unit.deleted'
  | 'generation.started'
  | 'generation.completed'
  | 'generation.failed'
  | 'scan.completed'
  | 'push.completed'

/** The body of a delivery. */
export interface WebhookEvent {
  /** `evt_…`. The id is the same in repeated deliveries: remember it to handle each event once. */
  readonly id: string
  /** More kinds may be added. */
  readonly event: WebhookEventKind | (string & {})
  /** ISO 8601 in UTC. */
  readonly created_at: string
  readonly project_id: string
  readonly data: Readonly<Record<string, unknown>>
}

// What the general rules of English get wrong for names of tables and columns.

/** Words that have no other number: one row of `inventory` is an inventory row. */
export const UNCOUNTABLE: ReadonlySet<string> = new Set(
  `analytics content data equipment feedback history information inventory media metadata
   news raw revenue software spend staff stock traffic usage sms
  `
    .trim()
    .split(/\s+/),
)

/** The past form of what happened, from the verb or noun that column names use. */
export const PAST_FORMS: Readonly<Record<string, string>> = {
  accept: 'accepted',
  activate: 'activated',
  approve: 'approved',
  archive: 'archived',
  arrive: 'arrived',
  assign: 'assigned',
  authorize: 'authorized',
  begin: 'began',
  cancel: 'canceled',
  cancellation: 'canceled',
  capture: 'captured',
  change: 'changed',
  click: 'clicked',
  close: 'closed',
  complete: 'completed',
  completion: 'completed',
  confirm: 'confirmed',
  create: 'created',
  creation: 'created',
  deactivate: 'deactivated',
  delete: 'deleted',
  deletion: 'deleted',
  deliver: 'delivered',
  depart: 'departed',
  end: 'ended',
  execute: 'executed',
  expire: 'expired',
  finish: 'finished',
  fulfill: 'fulfilled',
  hire: 'hired',
  insert: 'inserted',
  invite: 'invited',
  join: 'joined',
  modification: 'modified',
  modify: 'modified',
  open: 'opened',
  order: 'ordered',
  pay: 'paid',
  process: 'processed',
  publish: 'published',
  purchase: 'purchased',
  receive: 'received',
  refund: 'refunded',
  register: 'registered',
  registration: 'registered',
  reject: 'rejected',
  release: 'released',
  renew: 'renewed',
  resolve: 'resolved',
  return: 'returned',
  schedule: 'scheduled',
  send: 'sent',
  ship: 'shipped',
  sign: 'signed',
  start: 'started',
  submit: 'submitted',
  subscribe: 'subscribed',
  sync: 'synced',
  terminate: 'terminated',
  update: 'updated',
  upload: 'uploaded',
  verify: 'verified',
  visit: 'visited',
}

/**
 * Stems that all mean "last changed". dbt Labs style asks for one name for one thing; where a table has
 * two of them, each keeps its own.
 */
export const UPDATED_STEMS: ReadonlySet<string> = new Set([
  'updated',
  'modified',
  'last_updated',
  'last_modified',
])

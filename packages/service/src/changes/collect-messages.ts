import { CHANGE_KINDS, type ChangeKind, type ChangeMessage } from '@stagecraft/spec/api'
import type { ChangeRow } from '../store/own-rows.ts'

/** The most ids of one message. */
const MOST_IDS = 100

/** Collects changes into one message for each kind that the scopes of a key read. */
export function collectMessages(
  rows: readonly ChangeRow[],
  scopes: readonly string[],
): readonly ChangeMessage[] {
  const groups = Map.groupBy(rows, ({ kind }) => kind)
  return [...groups].flatMap(([kind, group]) =>
    kind !== 'session' && scopes.includes(CHANGE_KINDS[kind]) ? [toMessage(kind, group)] : [],
  )
}

function toMessage(kind: ChangeKind, rows: readonly ChangeRow[]): ChangeMessage {
  const all = [...new Set(rows.map(({ resource_id }) => resource_id))]
  const ids = all.slice(-MOST_IDS)
  const told = new Set(ids)
  // The last state of each counts.
  const states = rows.flatMap(({ resource_id, state }) =>
    state === null || !told.has(resource_id) ? [] : [[resource_id, state] as const],
  )
  return {
    event: 'change',
    kind,
    ids,
    ...(all.length > ids.length && { more: true as const }),
    changes: [...new Set(rows.map(({ change }) => change))],
    ...(states.length > 0 && { states: Object.fromEntries(states) }),
  }
}

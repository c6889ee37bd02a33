/** Wakes the loops of this process when there is something to do, so that they do not wait for their next round. */
export interface Wakeups {
  /** Call it after the transaction, and not in it. */
  notify(topic: WakeupTopic): void
  /** Calls back on each notice; returns how to stop that. */
  listen(topic: WakeupTopic, listener: () => void): () => void
}

export type WakeupTopic = 'jobs' | 'deliveries'

export function createWakeups(): Wakeups {
  const listeners = new Map<WakeupTopic, Set<() => void>>()
  return {
    notify(topic) {
      for (const listener of listeners.get(topic) ?? []) listener()
    },
    listen(topic, listener) {
      const all = listeners.get(topic) ?? new Set()
      listeners.set(topic, all.add(listener))
      return () => all.delete(listener)
    },
  }
}

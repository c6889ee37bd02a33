import type { Backend } from '@stagecraft/spec'

/** The first answers it gives at once, the others when the gate is opened. It refuses, so that the rules decide. */
export function gatedBackend(
  gate: { readonly opened: Promise<void> },
  answers = 0,
): Backend & { readonly asked: () => number } {
  let count = 0
  return {
    id: 'test:gated',
    asked: () => count,
    complete: async ({ signal }) => {
      count += 1
      const stopped = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      )
      if (count > answers) await Promise.race([gate.opened, stopped])
      const turn = { role: 'assistant' as const, opaque: null }
      const usage = { input: 7, cacheRead: 0, cacheWrite: 0, output: 3, reasoning: 0 }
      return { stop: 'refused', rawStop: 'no', text: '', toolCalls: [], turn, usage, model: 'm' }
    },
  }
}

/** Closed until it is opened. */
export function createGate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

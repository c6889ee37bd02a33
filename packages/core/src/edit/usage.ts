import type { BackendUsage, Usage } from '@stagecraft/spec'

export const NO_USAGE: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  attempts: 0,
  incomplete: false,
}

/** Adds one more call; undefined if its cost is unknown. */
export function addCall(usage: Usage, call: BackendUsage | undefined): Usage {
  return addUsage(usage, { ...(call ?? NO_USAGE), attempts: 1, incomplete: !call })
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    attempts: a.attempts + b.attempts,
    incomplete: a.incomplete || b.incomplete,
  }
}

/** Adds up all tokens read and written. */
export function totalTokens({ input, output }: Usage): number {
  return input + output
}

import type { BackendUsage } from '@stagecraft/spec'
import { isFields } from './shapes.ts'

/** The path of each number in the provider's usage. */
export interface UsagePaths {
  readonly input: string
  readonly cacheRead: string
  readonly cacheWrite: string
  readonly output: string
  readonly reasoning: string
}

/** Reads the provider's token counts; undefined without totals of input and output. */
export function readUsage(usage: unknown, paths: UsagePaths): BackendUsage | undefined {
  const input = numberAt(usage, paths.input)
  const output = numberAt(usage, paths.output)
  if (input === undefined || output === undefined) return undefined
  return {
    input,
    cacheRead: numberAt(usage, paths.cacheRead) ?? 0,
    cacheWrite: numberAt(usage, paths.cacheWrite) ?? 0,
    output,
    reasoning: numberAt(usage, paths.reasoning) ?? 0,
  }
}

function numberAt(usage: unknown, path: string): number | undefined {
  let value = usage
  for (const key of path.split('.')) value = isFields(value) ? value[key] : undefined
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

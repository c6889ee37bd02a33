import { StagecraftError } from '@stagecraft/spec'
import type { CheckStep, StepResult } from './check-step.ts'

/** Runs a step, and reports its duration or the reason of its failure. */
export async function timed<Result>(
  name: string,
  work: () => Promise<Result>,
  describe: (result: Result) => StepResult,
): Promise<readonly [CheckStep, Result | undefined]> {
  const start = performance.now()
  try {
    const result = await work()
    const found = describe(result)
    const step = typeof found === 'string' ? { outcome: 'works' as const, told: found } : found
    return [{ name, milliseconds: performance.now() - start, ...step }, result]
  } catch (error) {
    const milliseconds = performance.now() - start
    return [{ name, milliseconds, outcome: 'fails', ...reasonOf(error) }, undefined]
  }
}

function reasonOf(error: unknown): Pick<CheckStep, 'told' | 'remedy'> {
  if (!(error instanceof StagecraftError))
    return { told: error instanceof Error ? error.message : String(error) }
  const { reason, suggestion } = error.details ?? {}
  return {
    told: typeof reason === 'string' ? reason : error.message,
    ...(suggestion !== undefined && { remedy: suggestion }),
  }
}

/** Prints a number with its noun: `1 row`, `2 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

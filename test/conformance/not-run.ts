import type { TestContext } from 'vitest'
import type { Session } from './session.ts'

/** Reports a test as not run, with the reason; where everything has to run, as failed. */
export function notRun(context: TestContext, { target }: Pick<Session, 'target'>, reason: string): never {
  if (target.isStrict) throw new Error(`not run: ${reason}`)
  return context.skip(reason)
}

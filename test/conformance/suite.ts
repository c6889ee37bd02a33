import { afterAll, beforeAll, describe } from 'vitest'
import { authenticationTests } from './authentication-tests.ts'
import { deliveryTests, signatureTests } from './delivery-tests.ts'
import { contentTypeTests, endpointTests, identifierTests, versionTests } from './endpoint-tests.ts'
import { failureTests, successTests } from './envelope-tests.ts'
import { errorTests, limitTests } from './error-tests.ts'
import { completedTests, eventTests } from './event-tests.ts'
import { requestTests } from './request-tests.ts'
import { openSession, type Session, type UseSession } from './session.ts'
import type { Target } from './target.ts'
import { webhookTests } from './webhook-tests.ts'

const ALL: readonly ((use: UseSession) => void)[] = [
  deliveryTests,
  signatureTests,
  eventTests,
  completedTests,
  requestTests,
  successTests,
  failureTests,
  webhookTests,
  identifierTests,
  endpointTests,
  contentTypeTests,
  authenticationTests,
  errorTests,
  versionTests,
  limitTests,
]

/** A test for each sentence of the service contract, over HTTP. */
export function conformanceSuite(open: () => Promise<Target>): void {
  describe('the service contract', { concurrent: true, timeout: 60_000 }, () => {
    let session: Session | undefined
    const use = (): Session => {
      if (!session) throw new Error('there is no session yet')
      return session
    }
    beforeAll(async () => {
      session = await openSession(await open())
    }, 90_000)
    afterAll(async () => {
      await session?.close()
    })
    for (const tests of ALL) tests(use)
  })
}

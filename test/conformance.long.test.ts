import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { conformanceSuite } from './conformance/suite.ts'
import type { Target } from './conformance/target.ts'
import { describeWithServer, postgresServer } from './servers.ts'
import { createDatabase } from './service/own-database.ts'
import { newAdminKey, startService } from './service/start-service.ts'

const LIMITS = { requestsPerMinute: 600, deadlineSeconds: 4 }
const FLAGS = ['--rate-limit', `${LIMITS.requestsPerMinute}`, '--deadline', `${LIMITS.deadlineSeconds}`]

/** Runs the suite against `stagecraft serve`, on one port and on two. */
function bothAddresses(server?: string): void {
  describe.each([
    ['one port', []],
    ['two ports', ['--api-port', '0']],
  ])('%s', (_name, flags) => {
    const cleanups: (() => Promise<unknown>)[] = []
    conformanceSuite(async (): Promise<Target> => {
      const folder = await mkdtemp(join(tmpdir(), 'stagecraft-conformance-'))
      cleanups.unshift(() => rm(folder, { recursive: true }))
      const database = server === undefined ? undefined : await createDatabase(server)
      if (database) cleanups.unshift(() => database.drop())
      const adminKey = newAdminKey()
      const service = await startService({
        adminKey,
        folder,
        flags: [...FLAGS, ...flags],
        ...(database && { databaseUrl: database.url }),
      })
      cleanups.unshift(() => service.stop())
      const { apiUrl, baseUrl } = service
      return {
        apiUrl,
        baseUrl,
        key: adminKey,
        receiver: { host: '127.0.0.1', port: 0 },
        isStrict: true,
        ...LIMITS,
      }
    })
    afterAll(async () => {
      for (const clean of cleanups) await clean()
    })
  })
}

describe('conformance (sqlite)', () => {
  bothAddresses()
})

const server = await postgresServer()
describeWithServer('conformance (postgres)', server, () => {
  bothAddresses(server.url)
})

// What only a real server of ClickHouse shows: who may sign in, what is refused, and that statements end.
import type { Catalog } from '@stagecraft/spec'
import { clickhouse } from '@stagecraft/catalogs/clickhouse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  isOldClickhouseInstalled,
  type OldClickhouse,
  startOldClickhouse,
} from '../engines/clickhouse-server.ts'

const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])
const ENDLESS = 'select count() from system.numbers where number = -1'

describe.skipIf(!isOldClickhouseInstalled && !isRequired)(
  'a server of ClickHouse (test/engines/install.sh)',
  { meta: { needs: 'the clickhouse-server of Debian, which test/engines/install.sh unpacks' } },
  () => {
    let server: OldClickhouse
    const open = (user: string, password = 's3cret', rest = ''): Promise<Catalog> =>
      clickhouse({ text: `clickhouse://${user}:${password}@${server.host}/${rest}` })
    beforeAll(async () => {
      server = await startOldClickhouse('s3cret')
      await server.ask('create table default.t (a Int8) engine = Memory')
      await server.ask('insert into default.t values (1), (2)')
    }, 60_000)
    afterAll(() => server.stop())

    test.each([
      ['reader', 'canary', '', 'password authentication failed for user reader'],
      ['nobody', 's3cret', '', 'password authentication failed for user nobody'],
      ['reader', 's3cret', 'missing', 'database missing does not exist'],
    ])('refuses %s with %s at /%s', async (user, password, database, reason) => {
      const failure = await open(user, password, database).catch((error: unknown) => error)
      expect(String(failure)).toContain(reason)
      expect(String(failure)).not.toMatch(/canary|s3cret/)
    })

    test('is too old for the catalog, which says so', async () => {
      const catalog = await open('reader')
      await expect(catalog.tables({})).rejects.toThrow('columns that ClickHouse has since version 20.10')
      await catalog.close()
    })

    test.each(['reader', 'locked'])('reads rows as %s, and writes none', async (user) => {
      const catalog = await open(user)
      expect(await catalog.query?.('select sum(a) as total from default.t')).toEqual([
        { total: expect.toSatisfy((value) => Number(value) === 3) as unknown },
      ])
      await expect(catalog.query?.('insert into default.t values (3)')).rejects.toThrow(/readonly/)
      expect(await server.ask('select count() from default.t')).toBe('2\n')
      await catalog.close()
    })

    test('ends a statement at the limit of the address', async () => {
      const catalog = await open('reader', 's3cret', '?max_execution_time=1')
      await expect(catalog.query?.(ENDLESS)).rejects.toThrow(/Timeout exceeded/)
      await catalog.close()
    })

    test('ends a cancelled statement in the server', async () => {
      const catalog = await open('reader')
      const running = async (): Promise<string> =>
        server.ask(`select count() from system.processes where query like '%= -1%' and user = 'reader'`)
      const asked = catalog.query?.(ENDLESS)
      const ended = asked?.then(
        () => 'an answer',
        () => 'an error',
      )
      await expect.poll(running, { timeout: 60_000 }).toBe('1\n')
      catalog.cancel?.()
      expect(await ended).toBe('an error')
      await catalog.close()
      await expect.poll(running, { timeout: 60_000 }).toBe('0\n')
    })
  },
)

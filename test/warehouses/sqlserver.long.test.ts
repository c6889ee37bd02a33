// The package mssql and the command against a server of TDS on this machine, whose views of sys are run by DuckDB.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Catalog } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Mssql, MssqlConfig } from '../../packages/catalogs/src/sqlserver/driver.ts'
import { sqlserver } from '../../packages/catalogs/src/sqlserver/index.ts'
import { selfSigned } from '../../packages/webhooks/src/testing/certificate.ts'
import { runCli } from '../cli/run-cli.ts'
import { repositoryPath } from '../paths.ts'
import { openSysViews, type SysViews } from './sys-views.ts'
import type { Login, ServerError } from './tds-messages.ts'
import { startTds, type TdsServer } from './tds-server.ts'

const folder = repositoryPath('.venvs/mssql')
const isInstalled = existsSync(`${folder}/done`)
const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])
const PASSWORD = 'canary-s3cret'

const DENIED = {
  number: 229,
  message: "The SELECT permission was denied on the object 'Orders', database 'shop', schema 'dbo'.",
}

/** https://learn.microsoft.com/sql/relational-databases/errors-events/mssqlserver-18456-database-engine-error */
function refuse({ database, password, user }: Login): readonly ServerError[] {
  const failed = { number: 18456, message: `Login failed for user '${user}'.` }
  if (password !== PASSWORD) return [failed]
  if (database === 'none')
    return [{ number: 4060, message: 'Cannot open database "none" requested by the login.' }, failed]
  if (database !== 'azure') return []
  const message = `Cannot open server 'x' requested by the login. Client with IP address '10.0.0.1' is not allowed to access the server.`
  return [{ number: 40615, message }]
}

describe.skipIf(!isInstalled && !isRequired)(
  'SQL Server by its own protocol',
  { meta: { needs: 'mssql, which test/engines/install.sh installs' } },
  () => {
    let views: SysViews
    let server: TdsServer
    let driver: Mssql
    const opened: Catalog[] = []
    beforeAll(async () => {
      driver = createRequire(`${folder}/package.json`)('mssql') as Mssql
      views = await openSysViews()
      server = await startTds({
        answer: (asked) => (asked.text.includes('"dbo"."Orders"') ? { error: DENIED } : views.answer(asked)),
        refuse,
      })
    })
    afterAll(async () => {
      for (const catalog of opened) await catalog.close()
      await server.close()
      views.close()
    })
    const address = (path: string, password = PASSWORD): string =>
      `sqlserver://me:${password}@127.0.0.1:${server.port}/${path}?encrypt=false`
    const open = async (path: string, password?: string, mssql = driver): Promise<Catalog> => {
      const catalog = await sqlserver({ text: address(path, password), driver: mssql })
      opened.push(catalog)
      return catalog
    }
    const run = (...parameters: readonly string[]) => {
      const NODE_OPTIONS = `--import=${repositoryPath('test/warehouses/installed-mssql.ts')} --disable-warning=ExperimentalWarning`
      return { parameters, env: { NODE_OPTIONS } }
    }

    test('logs in, and reads types, keys, comments, checks, storage and row counts', async () => {
      const catalog = await open('shop')
      const tables = await catalog.tables({})
      const at = { database: 'shop', schema: 'dbo' }
      const id = { name: 'Id', type: 'int', nullable: false }
      expect(tables).toEqual([
        {
          ...at,
          name: 'Customers',
          kind: 'table',
          columns: [id, { name: 'Name', type: 'nvarchar(128)', nullable: false }],
          primaryKey: ['Id'],
          uniqueKeys: [['Name']],
          storage: { clusteredBy: ['Id'] },
        },
        { ...at, name: 'Open Orders', kind: 'view', columns: [id] },
        {
          ...at,
          name: 'Orders',
          kind: 'table',
          comment: 'Bought, für «alle»',
          columns: [
            id,
            { name: 'CustomerId', type: 'int', nullable: false },
            {
              name: 'State',
              type: 'nvarchar(20)',
              comment: 'Where it is',
              default: "(N'new')",
              values: ['done', 'new'],
            },
            { name: 'Total', type: 'decimal(12,2)' },
            { name: 'ValidFrom', type: 'datetime2(7)', nullable: false, hidden: true },
            { name: 'Paid', type: 'bit' },
            { name: 'Document', type: 'varbinary(max)' },
            { name: 'Place', type: 'geography' },
          ],
          primaryKey: ['Id'],
          foreignKeys: [
            {
              columns: ['CustomerId'],
              references: { table: { schema: 'dbo', name: 'Customers' }, columns: ['Id'] },
            },
          ],
          storage: { partitionedBy: ['Id'], clusteredBy: ['Id'] },
        },
        {
          ...at,
          name: 'OrdersHistory',
          kind: 'table',
          comment: 'Earlier versions of the rows of dbo.Orders.',
          columns: [id],
        },
        { database: 'shop', schema: 'sales', name: 'Regions', kind: 'external', columns: [id] },
      ])
      expect(await catalog.sizes?.(tables)).toEqual([
        { rows: 7 },
        {},
        { rows: 9_000_000_012 },
        { rows: 40 },
        {},
      ])
      expect(server.logins.at(-1)).toEqual({
        user: 'me',
        password: PASSWORD,
        application: 'stagecraft',
        database: 'shop',
      })
    })

    test('reads rows, and a table that may not be read leaves the others readable', async () => {
      const catalog = await open('shop/dbo')
      await expect(catalog.query?.('select * from "shop"."dbo"."Orders"')).rejects.toMatchObject({
        message: `cannot read SQL Server at 127.0.0.1:${server.port}: ${DENIED.message.slice(0, -1)}; check the grants of user me`,
      })
      expect(await catalog.query?.('select * from "shop"."dbo"."Customers"')).toEqual([
        { Id: 1, Name: 'Ada' },
        { Id: 2, Name: 'Bob' },
      ])
    })

    test.each([
      ['shop', 'wrong', 'the login of user me to database shop failed; check user and password, and that'],
      [
        'none',
        PASSWORD,
        'the login of user me to database none failed; check user and password, and that the database',
      ],
      [
        'azure',
        PASSWORD,
        "Client with IP address '10.0.0.1' is not allowed to access the server; check the login",
      ],
    ])('says why a login to %s was refused', async (path, password, reason) => {
      await expect(open(path, password)).rejects.toThrow(reason)
      expect(String(await open(path, password).catch((error: unknown) => error))).not.toContain('canary')
    })

    test('a statement that the caller stops gets ATTENTION, and the connection goes on', async () => {
      const catalog = await open('shop/dbo')
      const before = server.attentions.length
      const stop = new AbortController()
      const waiting = catalog.query?.("waitfor delay '00:01:00'", { signal: stop.signal })
      await expect.poll(() => server.asked.at(-1)?.text).toContain('waitfor')
      stop.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
      expect(server.attentions.slice(before)).toEqual([
        "set xact_abort on; begin transaction; waitfor delay '00:01:00'; rollback transaction",
      ])
      expect(await catalog.query?.('select count(*) as n from "shop"."dbo"."Customers"')).toEqual([
        { n: '2' },
      ])
    })

    test('a statement at its time limit gets ATTENTION, and the error says so', async () => {
      const { ConnectionPool } = driver
      // The limit of the catalog is a minute.
      class Hasty extends ConnectionPool {
        constructor(config: MssqlConfig) {
          super({ ...config, requestTimeout: 300 })
        }
      }
      const before = server.attentions.length
      const catalog = await open('shop/dbo', PASSWORD, { ConnectionPool: Hasty })
      await expect(catalog.query?.("waitfor delay '00:01:00'")).rejects.toThrow(
        'a query timed out after 60 s',
      )
      expect(server.attentions.slice(before)).toHaveLength(1)
    })

    test('the doctor passes every step but the table that is not granted', async () => {
      const { env, parameters } = run('doctor', '--catalog', address('shop/dbo'))
      const { code, stderr, stdout } = await runCli(parameters, { env })
      expect(stdout).toMatch(/^ok {4}driver +mssql$/m)
      for (const name of ['tables', 'columns', 'keys', 'foreign_keys', 'checks', 'storage'])
        expect(stdout).toMatch(new RegExp(`^ok {4}statement ${name} +\\d+ rows? `, 'm'))
      expect(stdout).toMatch(/^ok {4}cancel +a statement ended \d+ ms after it was stopped/m)
      expect(stdout).toMatch(
        /^FAIL {2}rights .*the first is .*: The SELECT permission was denied on the object 'Orders'/m,
      )
      expect(stdout).toContain('grant select, view definition on schema::"dbo" to "me"')
      expect(stdout + stderr).not.toContain('canary')
      expect(code).not.toBe(0)
    })

    test('a server without TLS gets no login, unless the address says encrypt=false', async () => {
      const text = address('shop/dbo').replace('?encrypt=false', '')
      const before = server.logins.length
      for (const query of ['', '?encrypt=true', '?encrypt=true&trust_cert=true'])
        await expect(sqlserver({ text: text + query, driver })).rejects.toThrow(
          `cannot read SQL Server at 127.0.0.1:${server.port}: the server offers no TLS, so the login was not sent; check that it is the right server; in a network that you trust, encrypt=false does without TLS`,
        )
      expect(server.logins).toHaveLength(before)
    })

    test('a server that does not listen is named as for other warehouses', async () => {
      await expect(sqlserver({ text: 'sqlserver://me:x@127.0.0.1:9/shop', driver })).rejects.toThrow(
        'cannot read SQL Server at 127.0.0.1:9: connection refused; check that the server runs and listens there',
      )
    })

    test('with TLS, the login and everything after it is encrypted, and the certificate is checked', async () => {
      const certificate = selfSigned({ name: 'db.example.com' })
      const secure = await startTds({ answer: (asked) => views.answer(asked), refuse, certificate })
      onTestFinished(() => secure.close())
      const text = `sqlserver://me:${PASSWORD}@127.0.0.1:${secure.port}/shop/dbo`
      await expect(sqlserver({ text, driver })).rejects.toThrow(
        'the certificate of the server is not trusted; check the TLS options',
      )
      expect(secure.logins).toEqual([])
      const catalog = await sqlserver({ text: `${text}?trust_cert=true`, driver })
      opened.push(catalog)
      expect((await catalog.tables({})).length).toBeGreaterThan(2)
      expect(secure.logins[0]).toMatchObject({ user: 'me', password: PASSWORD })
    })

    test('Ctrl-C sends ATTENTION before the command ends', async () => {
      const slow = await startTds({
        answer: (asked) => (asked.text.includes('sys.partitions') ? 'never ends' : views.answer(asked)),
      })
      onTestFinished(() => slow.close())
      const { env, parameters } = run(
        'doctor',
        '--catalog',
        `sqlserver://me:x@127.0.0.1:${slow.port}/shop/dbo?encrypt=false`,
      )
      const child = spawn(process.execPath, [repositoryPath('packages/cli/src/bin.ts'), ...parameters], {
        env: { ...process.env, NO_COLOR: '1', ...env },
        stdio: 'ignore',
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      await expect.poll(() => slow.asked.at(-1)?.text, { timeout: 60_000 }).toContain('sys.partitions')
      child.kill('SIGINT')
      const [code] = (await once(child, 'close')) as [number | null]
      expect(code).toBe(130)
      expect(slow.attentions).toEqual([expect.stringContaining('sys.partitions') as string])
    })
  },
)

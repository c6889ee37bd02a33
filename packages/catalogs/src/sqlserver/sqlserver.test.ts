import type { Catalog } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import type { Mssql, MssqlConfig } from './driver.ts'
import { sqlserver } from './index.ts'
import { statements } from './statements.ts'

// No server runs here: the rows are those that the views of sys are documented to have, through a driver that keeps what it is asked.

const at = (table: string) => ({ table_schema: 'dbo', table_name: table })
const column = (table: string, name: string, position: number, more: object) => ({
  ...at(table),
  column_name: name,
  ordinal_position: position,
  is_nullable: true,
  column_default: null,
  column_comment: null,
  is_hidden: false,
  ...more,
})

const ANSWERS: Readonly<Record<string, readonly object[]>> = {
  'sys.schemas s': [{ schema_name: 'dbo' }, { schema_name: 'sys' }, { schema_name: 'db_owner' }],
  'sys.objects o': [
    { ...at('Orders'), table_type: 'BASE TABLE', table_comment: 'Bought', row_count: '12' },
    {
      ...at('OrdersHistory'),
      table_type: 'BASE TABLE',
      table_comment: null,
      row_count: '40',
      history_of_schema: 'dbo',
      history_of_table: 'Orders',
    },
    { ...at('Open Orders'), table_type: 'VIEW', table_comment: null, row_count: null },
  ],
  'sys.columns c': [
    column('Orders', 'Id', 1, { data_type: 'int', is_nullable: false }),
    column('Orders', 'State', 2, {
      data_type: 'nvarchar(20)',
      column_default: "('new')",
      column_comment: 'Where it is',
    }),
    column('Orders', 'Total', 3, { data_type: 'decimal(12,2)' }),
    column('Orders', 'ValidFrom', 4, { data_type: 'datetime2(7)', is_nullable: false, is_hidden: true }),
    column('OrdersHistory', 'Id', 1, { data_type: 'int', is_nullable: false }),
    column('Open Orders', 'Id', 1, { data_type: 'int' }),
  ],
  'sys.indexes i': [
    {
      ...at('Orders'),
      constraint_name: 'PK_Orders',
      constraint_type: 'PRIMARY KEY',
      column_name: 'Id',
      ordinal_position: 1,
    },
  ],
  'sys.foreign_keys f': [
    {
      ...at('OrdersHistory'),
      constraint_name: 'FK_History',
      constraint_type: 'FOREIGN KEY',
      column_name: 'Id',
      ordinal_position: 1,
      referenced_schema: 'dbo',
      referenced_table: 'Orders',
      referenced_column: 'Id',
    },
  ],
  'sys.check_constraints h': [
    { ...at('Orders'), column_name: 'State', definition: "([State]=N'done' OR [State]=N'new')" },
  ],
}

/** The view that a statement is about: that of columns is joined to objects. */
function answerOf(text: string): readonly object[] {
  if (text.includes('join sys.columns c on c.object_id = o.object_id')) return ANSWERS['sys.columns c'] ?? []
  const view = /\bfrom (sys\.\w+ \w)\b/.exec(
    text.slice(text.indexOf('\nfrom') === -1 ? 0 : text.indexOf('\nfrom')),
  )
  return ANSWERS[view?.[1] ?? ''] ?? []
}

interface Kept {
  config?: MssqlConfig
  readonly asked: { readonly text: string; readonly values: Readonly<Record<string, string>> }[]
  cancelled: number
  closed: number
}

function fakeDriver(answer: (text: string) => Promise<readonly object[]> = async (text) => answerOf(text)) {
  const kept: Kept = { asked: [], cancelled: 0, closed: 0 }
  class ConnectionPool {
    constructor(config: MssqlConfig) {
      kept.config = config
    }
    async connect(): Promise<void> {}
    on(): void {}
    async close(): Promise<void> {
      kept.closed++
    }
    request() {
      const values: Record<string, string> = {}
      const request = {
        input: (name: string, value: string) => {
          values[name] = value
          return request
        },
        query: async (text: string) => {
          kept.asked.push({ text, values })
          return { recordset: (await answer(text)) as readonly Readonly<Record<string, unknown>>[] }
        },
        cancel: () => {
          kept.cancelled++
        },
      }
      return request
    }
  }
  return { driver: { ConnectionPool } satisfies Mssql, kept }
}

const TEXT = 'sqlserver://me:canary-s3cret@db.example.com:1444/shop/dbo'

async function open(text = TEXT): Promise<{ readonly catalog: Catalog; readonly kept: Kept }> {
  const { driver, kept } = fakeDriver()
  return { catalog: await sqlserver({ text, driver }), kept }
}

test('reads tables with keys, checks, comments, hidden periods and the history of a table', async () => {
  const { catalog, kept } = await open()
  const tables = await catalog.tables({})
  expect(tables).toEqual([
    {
      database: 'shop',
      schema: 'dbo',
      name: 'Open Orders',
      kind: 'view',
      columns: [{ name: 'Id', type: 'int' }],
    },
    {
      database: 'shop',
      schema: 'dbo',
      name: 'Orders',
      kind: 'table',
      comment: 'Bought',
      columns: [
        { name: 'Id', type: 'int', nullable: false },
        {
          name: 'State',
          type: 'nvarchar(20)',
          default: "('new')",
          comment: 'Where it is',
          values: ['done', 'new'],
        },
        { name: 'Total', type: 'decimal(12,2)' },
        { name: 'ValidFrom', type: 'datetime2(7)', nullable: false, hidden: true },
      ],
      primaryKey: ['Id'],
    },
    {
      database: 'shop',
      schema: 'dbo',
      name: 'OrdersHistory',
      kind: 'table',
      comment: 'Earlier versions of the rows of dbo.Orders.',
      columns: [{ name: 'Id', type: 'int', nullable: false }],
      foreignKeys: [
        { columns: ['Id'], references: { table: { schema: 'dbo', name: 'Orders' }, columns: ['Id'] } },
      ],
    },
  ])
  expect(await catalog.sizes?.(tables)).toEqual([{}, { rows: 12 }, { rows: 40 }])
  const bound = kept.asked.filter(({ values }) => values['p1'] === 'dbo')
  expect(bound.length).toBeGreaterThanOrEqual(5)
  for (const { text } of bound) expect(text).toContain('s.name = @p1')
})

test('connects with TLS, time limits and the credentials of the address', async () => {
  const { kept } = await open()
  expect(kept.config).toMatchObject({
    server: 'db.example.com',
    port: 1444,
    user: 'me',
    password: 'canary-s3cret',
    database: 'shop',
    options: { encrypt: true, trustServerCertificate: false, appName: 'stagecraft' },
    connectionTimeout: 10_000,
    requestTimeout: 60_000,
    pool: { max: 2, acquireTimeoutMillis: 60_000 },
  })
  // TLS before the first message, so that no server can talk the driver out of it
  const strict = await open(`${TEXT}?encrypt=strict`)
  expect(strict.kept.config?.options).toMatchObject({ encrypt: 'strict' })
  const principal = await open(
    'sqlserver://app:secret@db/shop?authentication=azure-active-directory-service-principal-secret&tenant_id=t&encrypt=false',
  )
  expect(principal.kept.config).toMatchObject({
    authentication_type: 'azure-active-directory-service-principal-secret',
    clientId: 'app',
    clientSecret: 'secret',
    tenantId: 't',
    options: { encrypt: false },
  })
  expect(principal.kept.config).not.toHaveProperty('user')
})

test.each([
  ['encrypt=ture', 'encrypt: expected true, false or strict, got "ture"'],
  ['trust_cert=always', 'trust_cert: expected true or false, got "always"'],
])('refuses %s, which would change how it is encrypted', async (option, message) => {
  await expect(open(`${TEXT}?${option}`)).rejects.toThrow(message)
})

test.each([
  ['sqlserver://db/shop', ['user: expected the name of a login of SQL Server, got nothing']],
  [
    'sqlserver://db/shop?authentication=azure-active-directory-access-token',
    ['token: expected an access token'],
  ],
  [
    'sqlserver://me@db/shop?authentication=ntlm',
    ['authentication: expected one of default, azure-active-directory-access-token', 'got "ntlm"'],
  ],
  [
    'sqlserver://me:canary@db/shop?authentication=azure-active-directory-password',
    ['client_id: expected the id of an application in Entra ID'],
  ],
  [
    'sqlserver://app@db/shop?authentication=azure-active-directory-service-principal-secret',
    ['password: expected the secret of the service principal', 'tenant_id: expected the tenant'],
  ],
])('names what %s lacks', async (text, faults) => {
  const error: unknown = await open(text).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'INVALID_REQUEST' })
  for (const fault of faults) expect(String(error)).toContain(fault)
  expect(String(error)).not.toContain('canary')
})

test('rolls back statements of the caller', async () => {
  const { catalog, kept } = await open()
  await catalog.query?.('select 1')
  expect(kept.asked.at(-1)?.text).toBe('set xact_abort on; begin transaction; select 1; rollback transaction')
})

test('cancels the request if the caller stops waiting', async () => {
  const waiting = Promise.withResolvers<readonly object[]>()
  const stop = new AbortController()
  const { driver, kept } = fakeDriver(async (text) => {
    if (!text.includes('waitfor')) return answerOf(text)
    stop.abort(new Error('enough'))
    waiting.reject(Object.assign(new Error('Canceled.'), { code: 'ECANCEL' }))
    return waiting.promise
  })
  const catalog = await sqlserver({ text: TEXT, driver })
  await expect(catalog.query?.(`waitfor delay '1:00'`, { signal: stop.signal })).rejects.toThrow('enough')
  expect(kept.cancelled).toBe(1)
  await catalog.close()
  await catalog.close()
  expect(kept.closed).toBe(1)
})

test('shows no password in an error', async () => {
  const { driver } = fakeDriver(async () => {
    throw Object.assign(new Error(`Login failed for user 'me' with canary-s3cret.`), { code: 'ELOGIN' })
  })
  const error: unknown = await sqlserver({ text: TEXT, driver }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining(
      'cannot read SQL Server at db.example.com:1444: the server refused; check the login',
    ) as string,
  })
  expect(String(error)).not.toContain('canary')
})

// What mssql 12.7 says, whose codes tell little.
test.each([
  ['Failed to connect to 127.0.0.1:1 - Could not connect (sequence)', 'ESOCKET', 'connection refused'],
  ['Failed to connect to no-such:1 - getaddrinfo ENOTFOUND no-such', 'ESOCKET', 'host not found'],
  ['Failed to connect to 127.0.0.1:37945 in 10000ms', 'ETIMEOUT', 'timeout after 10 s'],
  ['Timeout: Request failed to complete in 60000ms', 'ETIMEOUT', 'a query timed out after 60 s'],
])('reports why the driver failed: %s', async (message, code, reason) => {
  const { driver } = fakeDriver(async () => {
    throw Object.assign(new Error(message), { code })
  })
  await expect(sqlserver({ text: TEXT, driver })).rejects.toThrow(reason)
})

test('names the missing package', async () => {
  await expect(sqlserver({ text: TEXT })).rejects.toThrow('run: npm install mssql')
})

test('runs a constant number of statements, with every name bound', () => {
  const asked = statements({ schema: `x' or 1`, tables: ['a', 'b'] })
  expect(asked.map(({ name }) => name)).toEqual([
    'tables',
    'columns',
    'keys',
    'foreign_keys',
    'checks',
    'storage',
  ])
  for (const { text, values } of asked) {
    expect(values).toEqual([`x' or 1`, 'a', 'b'])
    expect(text.match(/\?/g)).toHaveLength(3)
  }
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Catalog } from '@stagecraft/spec'
import { expect, onTestFinished, test, vi } from 'vitest'
import { locateCatalog } from '../open.ts'
import { athena, type AthenaOptions } from './index.ts'
import { findKeys } from '../aws/find-keys.ts'
import { readPlace } from './place.ts'

const TEXT = 'athena://AKIA1:canary-s3cret@eu-west-1/awsdatacatalog/raw?session_token=canary-t0ken'

interface Call {
  readonly url: string
  readonly target: string
  readonly headers: Headers
  readonly input: Readonly<Record<string, unknown>>
}

type Reply = (call: Call) => unknown

/** AWS as far as its JSON protocol goes: https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html */
class FakeAws {
  readonly calls: Call[] = []
  readonly #replies: Readonly<Record<string, Reply>>

  constructor(replies: Readonly<Record<string, Reply>>) {
    this.#replies = replies
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    init?.signal?.throwIfAborted()
    const headers = new Headers(init?.headers)
    const target = headers.get('x-amz-target')?.split('.')[1] ?? ''
    const call: Call = {
      url: new URL(input instanceof Request ? input.url : input).href,
      target,
      headers,
      input: JSON.parse(init?.body as string) as Call['input'],
    }
    this.calls.push(call)
    const reply = this.#replies[target]?.(call)
    return reply instanceof Response ? reply : Response.json(reply ?? {})
  }
}

const refuse = (type: string, message: string, status = 400): Response =>
  Response.json({ __type: `com.amazonaws.glue#${type}`, Message: message }, { status })

const ORDERS = {
  Name: 'orders',
  TableType: 'EXTERNAL_TABLE',
  Parameters: { classification: 'parquet', recordCount: '120', sizeKey: '4096', comment: 'what was sold' },
  StorageDescriptor: {
    Columns: [
      { Name: 'id', Type: 'bigint', Comment: 'the number' },
      { Name: 'amount', Type: 'decimal(12,2)' },
      { Name: 'lines', Type: 'array<struct<sku:string,qty:int>>' },
      { Name: 'day', Type: 'string' },
    ],
  },
  PartitionKeys: [
    { Name: 'day', Type: 'date' },
    { Name: 'shop', Type: 'string', Comment: 'the branch' },
  ],
}
const PAYMENTS = {
  Name: 'payments',
  TableType: 'EXTERNAL_TABLE',
  Description: 'Iceberg',
  Parameters: { table_type: 'ICEBERG', metadata_location: 's3://b/m/7.json', numRows: '-1' },
  StorageDescriptor: {
    Columns: [
      { Name: 'id', Type: 'bigint', Parameters: { 'iceberg.field.optional': 'false' } },
      { Name: 'old', Type: 'string', Parameters: { 'iceberg.field.current': 'false' } },
      { Name: 'tags', Type: 'map<string,string>', Parameters: { 'iceberg.field.optional': 'true' } },
    ],
  },
}
const LATEST = {
  Name: 'latest',
  TableType: 'VIRTUAL_VIEW',
  Parameters: { presto_view: 'true', comment: 'Presto View' },
  StorageDescriptor: { Columns: [{ Name: 'id', Type: 'bigint' }] },
}
const LINK = {
  Name: 'shared',
  TargetTable: { CatalogId: '123456789012', DatabaseName: 'other', Name: 'facts' },
}
const ALL = [ORDERS, PAYMENTS, LATEST, LINK, { Name: 'bare', StorageDescriptor: {} }]

const GLUE: Readonly<Record<string, Reply>> = {
  GetDatabases: ({ input }) =>
    input['NextToken'] === undefined
      ? { DatabaseList: [{ Name: 'default' }], NextToken: 'more' }
      : { DatabaseList: [{ Name: 'raw' }] },
  GetTables: ({ input }) => {
    const at = Number(input['NextToken'] ?? 0)
    return { TableList: ALL.slice(at, at + 2), ...(at + 2 < ALL.length && { NextToken: `${at + 2}` }) }
  },
  GetTable: ({ input }) => {
    const table = ALL.find(({ Name }) => Name === input['Name'])
    return table ? { Table: table } : refuse('EntityNotFoundException', 'Entity Not Found')
  },
}

const open = (aws: FakeAws, options: Partial<AthenaOptions> = {}): Promise<Catalog> =>
  athena({ text: TEXT, fetch: aws.fetch, environment: {}, ...options })

test('reads a schema page by page, with partitions, Iceberg, views and comments', async () => {
  const aws = new FakeAws(GLUE)
  const catalog = await open(aws)
  const tables = await catalog.tables({})
  expect(tables).toEqual([
    {
      database: 'awsdatacatalog',
      schema: 'raw',
      name: 'latest',
      kind: 'view',
      columns: [{ name: 'id', type: 'bigint' }],
    },
    {
      database: 'awsdatacatalog',
      schema: 'raw',
      name: 'orders',
      kind: 'table',
      comment: 'what was sold',
      columns: [
        { name: 'id', type: 'bigint', comment: 'the number' },
        { name: 'amount', type: 'decimal(12,2)' },
        { name: 'lines', type: 'array<struct<sku:string,qty:int>>' },
        { name: 'day', type: 'string' },
        { name: 'shop', type: 'string', comment: 'the branch' },
      ],
      storage: { partitionedBy: ['day', 'shop'] },
    },
    {
      database: 'awsdatacatalog',
      schema: 'raw',
      name: 'payments',
      kind: 'table',
      comment: 'Iceberg',
      columns: [
        { name: 'id', type: 'bigint', nullable: false },
        { name: 'tags', type: 'map<string,string>' },
      ],
    },
  ])
  expect(catalog.warnings?.map(({ message }) => message)).toEqual([
    'raw.shared was skipped: it is a link to other.facts, which is read under its own name',
    'raw.bare was skipped: Glue has no columns for it',
  ])
  expect(await catalog.sizes?.(tables)).toEqual([
    {},
    { rows: 120, bytes: 4096 },
    { version: 's3://b/m/7.json' },
  ])
  expect('query' in catalog).toBe(false)
  expect(aws.calls[0]?.url).toBe('https://glue.eu-west-1.amazonaws.com/')
  expect(aws.calls[0]?.headers.get('authorization')).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIA1\/\d{8}\/eu-west-1\/glue\/aws4_request, SignedHeaders=\S+, Signature=[\da-f]{64}$/,
  )
  expect(aws.calls[0]?.headers.get('x-amz-security-token')).toBe('canary-t0ken')
  expect(aws.calls.map(({ input }) => input['CatalogId'])).not.toContain('awsdatacatalog')
})

test('requests one table by its name', async () => {
  const aws = new FakeAws(GLUE)
  const catalog = await open(aws)
  const table = await catalog.describe({ table: { text: 'Orders', quoted: false } })
  expect(table.columns).toHaveLength(5)
  expect(aws.calls.at(-1)).toMatchObject({
    target: 'GetTable',
    input: { DatabaseName: 'raw', Name: 'orders' },
  })
  await expect(catalog.describe({ table: { text: 'order', quoted: false } })).rejects.toMatchObject({
    code: 'INVALID_SOURCE',
  })
})

test('retries after a pause if AWS is busy', async () => {
  let refusals = 1
  const GetDatabases: Reply = (call) =>
    refusals-- > 0 ? refuse('ThrottlingException', 'Rate exceeded') : GLUE['GetDatabases']?.(call)
  const aws = new FakeAws({ ...GLUE, GetDatabases })
  await open(aws)
  expect(aws.calls).toHaveLength(3)
})

test.each([
  [
    'AccessDeniedException',
    'User: arn:aws:iam::1:user/me is not authorized',
    'failed with AccessDeniedException: User: arn:aws:iam::1:user/me is not authorized; check glue:GetDatabases, glue:GetTables',
  ],
  [
    'InvalidSignatureException',
    'The Canonical String was x-amz-security-token:canary-t0ken',
    'failed with InvalidSignatureException; check the access key and its secret, and the clock',
  ],
  [
    'ExpiredTokenException',
    'canary-t0ken has expired',
    'failed with ExpiredTokenException; check that the session has not expired',
  ],
  ['OtherException', 'of canary-s3cret', 'failed with OtherException; check the region'],
])('gives the remedy for %s, without a secret', async (type, message, expected) => {
  const aws = new FakeAws({ GetDatabases: () => refuse(type, message) })
  const error: unknown = await open(aws).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining(
      `cannot read Athena at eu-west-1:443: AWSGlue GetDatabases ${expected}`,
    ) as string,
  })
  expect(inspect([error, readPlace(TEXT), locateCatalog(TEXT)], { depth: 10, showHidden: true })).not.toMatch(
    /canary/,
  )
})

test('finds the Glue catalog of a data catalog', async () => {
  const GetDataCatalog: Reply = ({ input }) =>
    input['Name'] === 'partner'
      ? { DataCatalog: { Type: 'GLUE', Parameters: { 'catalog-id': '123456789012' } } }
      : { DataCatalog: { Type: 'LAMBDA' } }
  const aws = new FakeAws({ ...GLUE, GetDataCatalog })
  await open(aws, { text: TEXT.replace('awsdatacatalog', 'partner') })
  expect(aws.calls[0]?.url).toBe('https://athena.eu-west-1.amazonaws.com/')
  expect(aws.calls.at(-1)?.input).toMatchObject({ CatalogId: '123456789012' })
  await open(aws, { text: TEXT.replace('awsdatacatalog', '123456789012') })
  expect(aws.calls.at(-1)?.input).toMatchObject({ CatalogId: '123456789012' })
  await expect(open(aws, { text: TEXT.replace('awsdatacatalog', 'mongo') })).rejects.toThrow(
    'the data catalog mongo has the type LAMBDA and is not stored in Glue',
  )
  await expect(open(aws, { text: TEXT.replace('awsdatacatalog', 's3tablescatalog%2Fb') })).rejects.toThrow(
    'check that the name includes the account: 123456789012:s3tablescatalog/b',
  )
})

test('cancels the running statement if the signal stops opening', async () => {
  let asked: AbortSignal | null | undefined
  const hang: typeof globalThis.fetch = (_, init) => {
    asked = init?.signal
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
    })
  }
  const stop = new AbortController()
  const opening = athena({ text: TEXT, fetch: hang, environment: {}, signal: stop.signal })
  await expect.poll(() => asked).toBeDefined()
  const reason = new Error('stopped')
  stop.abort(reason)
  await expect(opening).rejects.toBe(reason)
  expect(asked?.aborted).toBe(true)
})

test('connects to the endpoint of the operator, or to the domain of the region', async () => {
  const aws = new FakeAws(GLUE)
  await open(aws, { environment: { AWS_ENDPOINT_URL_GLUE: 'http://127.0.0.1:9/' } })
  expect(aws.calls.at(-1)?.url).toBe('http://127.0.0.1:9/')
  await open(aws, { text: TEXT.replace('eu-west-1', 'cn-north-1') })
  expect(aws.calls.at(-1)?.url).toBe('https://glue.cn-north-1.amazonaws.com.cn/')
})

test.each([
  ['athena://evil.example/x', 'expected a region as the host'],
  ['athena://eu-west-1.evil/x', 'expected a region as the host'],
  ['athena://eu-west-1/a/b/c', 'expected athena://region/awsdatacatalog/schema, got 3 names'],
  ['athena://AKIA1@eu-west-1/a', 'optionally with a session token, or nothing, got only some of them'],
  ['athena://eu-west-1/a?session_token=x', 'got only some of them'],
  ['athena://eu-west-1/a?host=evil.example', 'expected a region as the host'],
])('refuses %s', (text, reason) => {
  expect(() => readPlace(text)).toThrow(reason)
})

test('uses keys of the environment, but not if a profile is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-aws-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'credentials')
  writeFileSync(file, '[analytics]\naws_access_key_id = AKIA2\naws_secret_access_key = canary-file\n')
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file)
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const environment = { AWS_ACCESS_KEY_ID: 'AKIA3', AWS_SECRET_ACCESS_KEY: 'x', AWS_SESSION_TOKEN: 'y' }
  expect(await findKeys(readPlace('athena://eu-west-1/'), environment)).toEqual({
    accessKeyId: 'AKIA3',
    secretAccessKey: 'x',
    sessionToken: 'y',
  })
  expect(await findKeys(readPlace('athena://eu-west-1/?profile=analytics'), environment)).toMatchObject({
    accessKeyId: 'AKIA2',
  })
  const missing: unknown = await findKeys(readPlace('athena://eu-west-1/?profile=other'), {}).catch(
    (caught: unknown) => caught,
  )
  expect(missing).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringMatching(
      /^catalog: expected credentials of the profile "other" of AWS, got none \(\w+\); run aws sso login, or set AWS_ACCESS_KEY_ID/,
    ) as string,
  })
  expect(inspect(missing, { depth: 10 })).not.toContain('canary-file')
})

import { createVerify, generateKeyPairSync } from 'node:crypto'
import type { Catalog } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { bigquery } from './index.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const KEY = { type: 'service_account', client_email: 'me@p.iam.gserviceaccount.com', private_key: privateKey }
const HOST = 'bigquery://bigquery.googleapis.com'

interface Call {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string
}

type Answer = Readonly<Record<string, unknown>> | { readonly status: number; readonly error: unknown }

/** Answers as the pages of the REST interface show it, and keeps what was asked. */
function recorded(answer: (call: Call) => Answer) {
  const calls: Call[] = []
  const fetch = (async (input: string | URL, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    const call = {
      url: new URL(input),
      method: init.method ?? 'GET',
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : '',
    }
    calls.push(call)
    const body = answer(call)
    return Response.json(body, { status: typeof body['status'] === 'number' ? body['status'] : 200 })
  }) as typeof globalThis.fetch
  return { calls, fetch }
}

const field = (name: string, type = 'STRING', more: object = {}) => ({ name, type, ...more })

function result(
  fields: readonly { readonly name: string }[],
  ...rows: readonly (readonly unknown[])[]
): Answer {
  return {
    jobComplete: true,
    jobReference: { projectId: 'p', jobId: 'j1', location: 'EU' },
    schema: { fields },
    rows: rows.map((cells) => ({ f: cells.map((v) => ({ v })) })),
  }
}

const DATASETS = { datasets: [{ datasetReference: { projectId: 'p', datasetId: 'web' } }] }

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  tables: ['table_schema', 'table_name', 'table_type', 'table_comment'],
  columns: [
    'table_schema',
    'table_name',
    'column_name',
    'field_path',
    'ordinal_position',
    'data_type',
    'is_nullable',
    'column_default',
    'column_comment',
  ],
  keys: [
    'table_schema',
    'table_name',
    'constraint_name',
    'constraint_type',
    'column_name',
    'ordinal_position',
  ],
  storage: ['table_schema', 'table_name', 'row_count', 'byte_count', 'last_changed'],
}

const ROWS: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  tables: [
    ['web', 'events_20260130', 'BASE TABLE', null],
    ['web', 'events_20260131', 'BASE TABLE', '"Of \\"one\\" day"'],
    ['web', 'users', 'BASE TABLE', null],
    ['web', 'totals_99999999', 'VIEW', null],
  ],
  columns: [
    ['web', 'events_20260131', 'at', 'at', '2', 'TIMESTAMP', 'NO', 'NULL', null],
    [
      'web',
      'events_20260131',
      'user',
      'user',
      '1',
      'STRUCT<id INT64, tags ARRAY<STRING>>',
      'YES',
      'NULL',
      'Who',
    ],
    ['web', 'events_20260131', 'user', 'user.id', '1', 'INT64', 'YES', 'NULL', 'Number'],
    ['web', 'users', 'id', 'id', '1', 'INT64', 'NO', 'NULL', null],
    ['web', 'users', 'names', 'names', '2', 'ARRAY<STRING>', 'NO', '[]', null],
  ],
  keys: [['web', 'users', 'users.pk$', 'PRIMARY KEY', 'id', '1']],
  storage: [
    ['web', 'events_20260130', '10', '1000', '1769800000000'],
    ['web', 'events_20260131', '5', '500', '1769900000000'],
  ],
}

/** Tells the statements apart by the view that each begins with. */
function answerOf(query: string): Answer {
  const [, view = ''] = /\nfrom \S+?\.(COLUMNS|KEY_COLUMN_USAGE|TABLES|__TABLES__)/.exec(query) ?? []
  const name = { COLUMNS: 'columns', KEY_COLUMN_USAGE: 'keys', __TABLES__: 'storage' }[view] ?? 'tables'
  return result(
    (HEADERS[name] ?? []).map((header) => field(header)),
    ...(ROWS[name] ?? []),
  )
}

function answerAll({ body, url }: Call): Answer {
  if (url.hostname === 'oauth2.googleapis.com') return { access_token: 'granted', expires_in: 3600 }
  if (url.pathname.endsWith('/datasets')) return DATASETS
  return answerOf((JSON.parse(body) as { readonly query: string }).query)
}

const withToken = (options = ''): string => `${HOST}/p/web?token=canary-t0ken${options}`

async function openWith(answer: (call: Call) => Answer, text = withToken()) {
  const { calls, fetch } = recorded(answer)
  const catalog = await bigquery({ text, fetch, environment: {}, now: () => 1_770_000_000_000 })
  return { calls, catalog }
}

test('folds shards, keeps structs and arrays whole, and reads unenforced keys', async () => {
  const { catalog } = await openWith(answerAll)
  const tables = await catalog.tables({})
  expect(tables).toEqual([
    {
      database: 'p',
      schema: 'web',
      name: 'events_*',
      kind: 'table',
      comment: 'Of "one" day',
      columns: [
        { name: 'user', type: 'STRUCT<id INT64, tags ARRAY<STRING>>', comment: 'Who' },
        { name: 'at', type: 'TIMESTAMP', nullable: false },
      ],
    },
    { database: 'p', schema: 'web', name: 'totals_99999999', kind: 'view', columns: [] },
    {
      database: 'p',
      schema: 'web',
      name: 'users',
      kind: 'table',
      columns: [
        { name: 'id', type: 'INT64', nullable: false },
        { name: 'names', type: 'ARRAY<STRING>', default: '[]' },
      ],
      primaryKey: ['id'],
    },
  ])
  expect(await catalog.sizes?.(tables)).toEqual([
    {
      rows: 15,
      bytes: 1500,
      version: '2 1769900000000 15',
      changedAt: '2026-01-31T22:53:20.000Z',
    },
    {},
    {},
  ])
})

test('reads one table with bound values, a cap, a label and a time limit', async () => {
  const { calls, catalog } = await openWith(answerAll, withToken('&location=EU&execution_project=bill'))
  await catalog.describe({ table: { text: 'users', quoted: false } })
  const jobs = calls.filter(({ url }) => url.pathname.endsWith('/queries'))
  expect(new Set(jobs.map(({ url }) => url.pathname))).toEqual(
    new Set(['/bigquery/v2/projects/bill/queries']),
  )
  const [, ...described] = jobs.map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>)
  expect(described).toHaveLength(3)
  for (const body of described)
    expect(body).toMatchObject({
      useLegacySql: false,
      location: 'EU',
      maximumBytesBilled: '1000000000',
      jobTimeoutMs: '60000',
      labels: { tool: 'stagecraft' },
      parameterMode: 'POSITIONAL',
      queryParameters: [{ parameterType: { type: 'STRING' }, parameterValue: { value: 'users' } }],
    })
})

test('logs in with a key, and again before the token expires', async () => {
  let now = 1_770_000_000_000
  const key = Buffer.from(JSON.stringify(KEY)).toString('base64')
  const { calls, fetch } = recorded(answerAll)
  const text = `${HOST}/p/web?keyfile_json=${encodeURIComponent(key)}`
  const catalog = await bigquery({ text, fetch, environment: {}, now: () => now })
  await catalog.tables({})
  now += 3600 * 1000
  await catalog.tables({})
  const grants = calls.filter(({ url }) => url.hostname === 'oauth2.googleapis.com')
  expect(grants).toHaveLength(2)
  const assertion = new URLSearchParams(grants[0]?.body).get('assertion') ?? ''
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  expect(
    createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url'),
  ).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    iss: KEY.client_email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: 'https://oauth2.googleapis.com/token',
    iat: 1_770_000_000,
    exp: 1_770_003_600,
  })
  const asked = calls.filter(({ url }) => url.hostname === 'bigquery.googleapis.com')
  expect(new Set(asked.map(({ headers }) => headers.get('authorization')))).toEqual(
    new Set(['Bearer granted']),
  )
})

test('impersonates another account if the address names one', async () => {
  const { calls, catalog } = await openWith(
    (call) =>
      call.url.hostname === 'iamcredentials.googleapis.com' ? { accessToken: 'theirs' } : answerAll(call),
    withToken('&impersonate_service_account=reader%40p.iam.gserviceaccount.com'),
  )
  await catalog.close()
  expect(calls.map(({ headers, url }) => [url.hostname, headers.get('authorization')])).toEqual([
    ['iamcredentials.googleapis.com', 'Bearer canary-t0ken'],
    ['bigquery.googleapis.com', 'Bearer theirs'],
  ])
})

const FIELDS = [
  field('n', 'INTEGER'),
  field('big', 'INTEGER'),
  field('share', 'FLOAT'),
  field('yes', 'BOOLEAN'),
  field('exact', 'NUMERIC'),
  field('at', 'TIMESTAMP'),
  field('day', 'DATE'),
  field('tags', 'STRING', { mode: 'REPEATED' }),
  field('who', 'RECORD', { fields: [field('id', 'INTEGER')] }),
]
const CELLS = [
  '7',
  '9223372036854775807',
  '0.5',
  'true',
  '1.10',
  '1769904000000000',
  '2026-02-01',
  [{ v: 'a' }, { v: null }],
  { f: [{ v: '1' }] },
]

test('waits for a job, reads all pages, and converts values to their types', async () => {
  const { calls, catalog } = await openWith((call) => {
    if (call.url.pathname.endsWith('/datasets')) return DATASETS
    if (call.method === 'POST') return { jobComplete: false, jobReference: { jobId: 'j1', location: 'EU' } }
    const page = call.url.searchParams.get('pageToken')
    return { ...result(FIELDS, CELLS), ...(page === null && { pageToken: 'next' }) }
  })
  const row = {
    n: 7,
    big: 9223372036854775807n,
    share: 0.5,
    yes: true,
    exact: '1.10',
    at: new Date('2026-02-01T00:00:00Z'),
    day: '2026-02-01',
    tags: ['a', null],
    who: { id: 1 },
  }
  expect(await catalog.query?.('select 1')).toEqual([row, row])
  const polls = calls.filter(({ url }) => url.pathname.endsWith('/queries/j1'))
  expect(
    polls.map(({ url }) => [url.searchParams.get('location'), url.searchParams.get('pageToken')]),
  ).toEqual([
    ['EU', null],
    ['EU', 'next'],
  ])
})

test('cancels the job if the caller stops waiting', async () => {
  const stop = new AbortController()
  const { calls, catalog } = await openWith((call) => {
    if (call.url.pathname.endsWith('/datasets')) return DATASETS
    if (call.method === 'GET') stop.abort(new Error('enough'))
    return { jobComplete: false, jobReference: { jobId: 'j1', location: 'EU' } }
  })
  await expect(catalog.query?.('select 1', { signal: stop.signal })).rejects.toThrow('enough')
  expect(calls.at(-1)).toMatchObject({ method: 'POST' })
  expect(calls.at(-1)?.url.href).toBe(
    'https://bigquery.googleapis.com/bigquery/v2/projects/p/jobs/j1/cancel?location=EU',
  )
})

const failing = (status: number, message: string, reason: string) => (): Answer => ({
  status,
  error: { code: status, message, errors: [{ reason }] },
})

test.each([
  [
    failing(
      403,
      'Access Denied: Project p: User does not have bigquery.jobs.create permission',
      'accessDenied',
    ),
    'grant roles/bigquery.jobUser on the project p',
  ],
  [failing(403, 'Access Denied: Dataset p:web', 'accessDenied'), 'grant roles/bigquery.metadataViewer'],
  [
    failing(401, 'Request had invalid authentication credentials.', 'authError'),
    'check the token or the key',
  ],
  [failing(404, 'Not found: Dataset p:web', 'notFound'), 'check project, dataset and location'],
  [failing(400, 'Query exceeded limit for bytes billed: 1. 2 or higher', 'x'), 'raise maximum_bytes_billed'],
  [failing(401, 'the token canary-t0ken is wrong', 'authError'), 'status 401'],
])('gives the remedy for a refusal, without the token: %#', async (answer, message) => {
  const error: unknown = await openWith(answer).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining(message) as string,
  })
  expect(String(error)).not.toContain('canary')
})

test('treats an error of a job without a result as a failure', async () => {
  const fault = { reason: 'notFound', message: 'Not found: Table nowhere' }
  const { catalog } = await openWith((call) =>
    call.url.pathname.endsWith('/datasets')
      ? DATASETS
      : { jobComplete: true, jobReference: { jobId: 'j1' }, schema: { fields: [] }, errors: [fault] },
  )
  await expect(catalog.query?.('select x from nowhere')).rejects.toThrow('Not found: Table nowhere')
})

const keyed = (key: object): string =>
  `${HOST}/p?keyfile_json=${encodeURIComponent(Buffer.from(JSON.stringify(key)).toString('base64'))}`

test.each([
  [`${HOST}?token=x`, 'got none there'],
  [`${HOST}/p?maximum_bytes_billed=much&token=x`, 'maximum_bytes_billed'],
  [`${HOST}/p?keyfile_json=bm90aGluZw%3D%3D`, 'expected a key in JSON in keyfile_json, got something else'],
  [keyed({ ...KEY, private_key: '' }), 'expected the field private_key in keyfile_json, got none'],
  [keyed({ type: 'external_account' }), 'set token to what gcloud auth print-access-token prints'],
  [keyed({ ...KEY, private_key: 'canary' }), 'expected an RSA key in PEM as private_key'],
  ['bigquery://evil.example/p', 'expected a host of googleapis.com'],
  ['bigquery://googleapis.com.evil.example/p?keyfile=/key.json', 'expected a host of googleapis.com'],
  [`${HOST}/p?client_secret=canary`, 'got client_secret'],
  [`${HOST}/p?token=canary&refresh_token=canary`, 'got token'],
  [`${HOST.replace('//', '//me:canary@')}/p`, 'got password'],
  [
    `${HOST}/p?keyfile=/no/such/key.json`,
    'got no file /no/such/key.json; run gcloud auth application-default login',
  ],
])('refuses the address %# and names the fault', async (text, message) => {
  const opened: Promise<Catalog> = bigquery({
    text,
    environment: { CLOUDSDK_CONFIG: '/nowhere' },
    fetch: recorded(answerAll).fetch,
  })
  const error: unknown = await opened.catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(message) as string,
  })
  expect(String(error)).not.toContain('canary')
})

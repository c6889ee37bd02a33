// LLM02: what is secret is in no request, no error and no object that somebody may log.
import { inspect } from 'node:util'
import { createEngine } from '@stagecraft/core'
import { BackendError, type CatalogTable } from '@stagecraft/spec'
import { afterEach, expect, test, vi } from 'vitest'
import {
  about,
  answer,
  AT,
  catalogOf,
  errorOf,
  modelOf,
  ORDERS,
  run,
  sent,
  stubborn,
  tableSent,
} from './edit-runs.ts'

const CANARY = 'c4n4ry'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** A table that has a secret in all that a catalog knows beside names and types. */
const secretive: CatalogTable = {
  ...ORDERS,
  comment: `${CANARY} comment`,
  location: `read_parquet('s3://${CANARY}')`,
  columns: ORDERS.columns.map((column) => ({
    ...column,
    comment: `${CANARY} comment`,
    default: `'${CANARY}'`,
    values: [`${CANARY} value`, 'other'],
  })),
}

test('secrets around a table reach no request, no error and no printed object', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', `sk-${CANARY}`)
  const backend = stubborn(answer([about(99)]))
  const catalog = { ...catalogOf([secretive]), connection: `postgres://u:${CANARY}@host/db` }
  const config = {
    sources: { shop: { description: CANARY, tables: { wh7_orders: { description: CANARY } } } },
  }
  const engine = createEngine({ llm: { backend }, catalog, config })
  const request = { type: 'staging', source: 'shop.wh7_orders' } as const
  const error = await errorOf(engine.generate(request))
  const prompts = await engine.prompts({ type: 'staging', sources: [] })
  const printed = inspect([error, error.details, engine, backend, prompts], { depth: null, showHidden: true })
  expect(sent(backend)).toContain('wh7_order_id')
  expect(sent(backend) + printed).not.toContain(CANARY)
  expect(printed).not.toContain(process.env['PATH'])
})

test('the labels of an enum are values, and stay', async () => {
  const types = [
    `enum('${CANARY}','it''s ${CANARY}')`,
    String.raw`Enum8('${CANARY}\'' = 1, 'x' = 2)`,
    `enum('${CANARY}`,
    `set('a', '${'x'.repeat(200)}${CANARY}')`,
  ]
  const columns = types.map((type, index) => ({ name: `wh7_${index}`, type }))
  const backend = stubborn(answer())
  await run({ backend, tables: [{ ...ORDERS, columns }], dialect: 'clickhouse' })
  expect(sent(backend)).not.toContain(CANARY)
  const rows = tableSent(backend.requests[0]!)['columns'] as readonly string[][]
  expect(rows.map((row) => row[2])).toEqual(['enum(…,…)', 'Enum8(… = 1, … = 2)', 'enum(…', 'set(…, …)'])
})

test('comments go only where they are asked for, cleaned and cut', async () => {
  const comment = `\u202E ${'x'.repeat(199)}${CANARY}`
  const table = { ...ORDERS, comment, columns: ORDERS.columns.map((column) => ({ ...column, comment })) }
  const [silent, open] = [stubborn(answer()), stubborn(answer())]
  await run({ backend: silent, tables: [table] })
  await run({ backend: open, tables: [table], settings: { comments: true } })
  const without = tableSent(silent.requests[0]!)
  expect(without).not.toHaveProperty('comment')
  expect(without['fields']).not.toContain('comment')
  const cut = `${'x'.repeat(199)}…`
  expect(tableSent(open.requests[0]!)).toMatchObject({ comment: cut })
  expect((tableSent(open.requests[0]!)['columns'] as readonly unknown[][]).map((row) => row[5])).toEqual(
    Array.from({ length: 6 }, () => cut),
  )
})

test('where names are withheld, none is in any request: not in types, comments, examples or repairs', async () => {
  const table: CatalogTable = {
    ...ORDERS,
    comment: 'wh7',
    columns: [
      ...ORDERS.columns.map((column) => ({ ...column, comment: 'wh7' })),
      { name: 'wh7_s', type: 'STRUCT<wh7_ssn STRING, b ARRAY<wh7_x>>' },
      { name: 'wh7_e', type: 'shop.wh7_state_type' },
      { name: 'wh7_a', type: '_wh7_type' },
    ],
  }
  const style = { renames: [['wh7_a', 'wh7_b']], descriptions: [['wh7_a', 'wh7.']] } as const
  const project = {
    models: [],
    packages: [],
    requireDbtVersion: undefined,
    testArgumentsProperty: true,
    style,
  }
  const backend = stubborn(answer([about(AT.note, { name: 'memo' })]))
  const settings = { redactNames: true, comments: true, onFailure: 'fallback' } as const
  const { meta } = await run({ backend, tables: [table], project, settings })
  expect(backend.requests).toHaveLength(2)
  expect(meta.fallback).toBe(true)
  expect(sent(backend)).not.toMatch(/wh7|shop|fivetran/i)
  expect((tableSent(backend.requests[0]!)['columns'] as readonly string[][])[2]).toEqual([
    3,
    'c3',
    'string',
    false,
    null,
  ])
})

test('a table whose names are withheld is edited by ordinal', async () => {
  const backend = stubborn(answer([about(AT.note, { description: 'What was noted.' })]))
  const { data } = await run({ backend, settings: { redactNames: true } })
  const described = modelOf(data.schema).columns.filter(
    ({ description }) => description === 'What was noted.',
  )
  expect(described.map(({ name }) => name)).toEqual(['wh7_note'])
})

test('a failed call is told by its kind: what the provider said stays in the cause', async () => {
  const failure = new BackendError('auth', `key sk-${CANARY}`, { requestId: 'req-7', status: 401 })
  const error = await errorOf(run({ backend: stubborn(failure) }))
  expect(error.cause).toBe(failure)
  expect(error.details).toMatchObject({ kind: 'auth', attempts: 1, violations: [], requestId: 'req-7' })
  expect(error.message + JSON.stringify(error.details)).not.toContain(CANARY)
  const { data } = await run({ backend: stubborn(failure), settings: { onFailure: 'fallback' } })
  expect(JSON.stringify(data)).not.toContain(CANARY)
})

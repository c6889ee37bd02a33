import { StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { type MetadataSource, openMetadata } from './metadata-warehouse.ts'
import { onStatement, type StatementReport } from './observe.ts'
import { standardTables } from './standard-tables.ts'
import type { Statement } from './statement.ts'

const name = (text: string) => ({ text, quoted: true })

function source(overrides: Partial<MetadataSource> = {}): MetadataSource & { readonly ran: Statement[] } {
  const ran: Statement[] = []
  const rows: Readonly<Record<string, readonly object[]>> = {
    schemas: [{ SCHEMA_NAME: 'A' }, { SCHEMA_NAME: 'B' }, { SCHEMA_NAME: 'INFORMATION_SCHEMA' }],
    tables: [
      { table_name: 'one', row_count: 5, last_changed: 'x' },
      { table_name: 'two', row_count: null },
      { table_name: 'two__dbt_tmp' },
    ],
    columns: [
      { table_name: 'one', column_name: 'id', data_type: 'int' },
      { table_name: 'two', column_name: 'id', data_type: 'int' },
    ],
  }
  return {
    ran,
    dialect: 'snowflake',
    database: 'D',
    defaultSchema: undefined,
    schemas: { name: 'schemas', text: 'show schemas', values: [] },
    statements: ({ schema }) =>
      ['tables', 'columns'].map((one) => ({ name: one, text: `select ${one}`, values: [schema] })),
    toTables: standardTables,
    run: async (statement) => {
      ran.push(statement)
      return (rows[statement.name] ?? []).map((row) => ({ table_schema: statement.values[0], ...row }))
    },
    ...overrides,
  }
}

test('runs each statement once for each schema, except those of the engine', async () => {
  const fake = source()
  const catalog = await openMetadata(fake)
  const tables = await catalog.tables({})
  expect(tables.map(({ database, schema, name: table }) => [database, schema, table].join('.'))).toEqual([
    'D.A.one',
    'D.A.two',
    'D.B.one',
    'D.B.two',
  ])
  expect(fake.ran.map((one) => [one.name, ...one.values].join(' '))).toEqual([
    'schemas', // when it was opened
    'schemas',
    'tables A',
    'columns A',
    'tables B',
    'columns B',
  ])
  expect(catalog.warnings).toHaveLength(1)
})

test('reads only the schema of the address, and one table of it', async () => {
  const catalog = await openMetadata(source({ defaultSchema: 'B' }))
  expect((await catalog.tables({})).map(({ schema }) => schema)).toEqual(['B', 'B'])
  expect(await catalog.describe({ table: name('two') })).toEqual({
    database: 'D',
    schema: 'B',
    name: 'two',
    kind: 'table',
    columns: [{ name: 'id', type: 'int' }],
  })
  await expect(catalog.describe({ table: name('tow') })).rejects.toMatchObject({ code: 'INVALID_SOURCE' })
})

test('reads sizes with the statement of tables', async () => {
  const fake = source({ defaultSchema: 'A' })
  const catalog = await openMetadata(fake)
  const sizes = await catalog.sizes?.(await catalog.tables({}))
  expect(sizes).toEqual([{ rows: 5, version: 'x' }, {}])
  expect(fake.ran.at(-1)?.name).toBe('tables')
})

test('skips optional statements with a warning, and reads changes only with sizes', async () => {
  const fake = source({
    defaultSchema: 'A',
    statements: ({ schema }) => [
      { name: 'tables', text: 'select 1', values: [schema] },
      { name: 'columns', text: 'select 2', values: [schema] },
      { name: 'comments', text: 'select 3', values: [schema], optional: true },
      { name: 'changes', text: 'select 4', values: [schema], optional: true, onlySizes: true },
    ],
  })
  const { run } = fake
  const catalog = await openMetadata({
    ...fake,
    run: async (statement, signal) => {
      const rows = await run(statement, signal)
      if (!statement.optional) return rows
      throw new StagecraftError('CONNECTION_FAILED', 'refused', { details: { reason: 'no right' } })
    },
  })
  const tables = await catalog.tables({})
  expect(tables.map(({ columns }) => columns.length)).toEqual([1, 1])
  expect(catalog.warnings?.map(({ message }) => message)).toContain(
    'the statement "comments" was skipped: no right',
  )
  fake.ran.length = 0
  expect(await catalog.sizes?.(tables)).toEqual([{ rows: 5, version: 'x' }, {}])
  expect(fake.ran.map((one) => one.name)).toEqual(['schemas', 'tables', 'changes'])
})

test('cancels the running statement, on cancel and on close', async () => {
  const signals: AbortSignal[] = []
  const hang = source({
    run: (statement, signal) => {
      if (statement.name !== 'query') return Promise.resolve([])
      signals.push(signal)
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      )
    },
  })
  const catalog = await openMetadata(hang)
  const caller = new AbortController()
  const cancelled = catalog.query?.('select 1', { signal: caller.signal })
  await expect.poll(() => signals.length).toBe(1)
  caller.abort(new Error('enough'))
  await expect(cancelled).rejects.toThrow('enough')
  expect(signals[0]?.aborted).toBe(true)
  const ended = catalog.query?.('select 1')
  await expect.poll(() => signals.length).toBe(2)
  catalog.cancel?.()
  await expect(ended).rejects.toThrow('the statement was cancelled')
  expect(await catalog.tables({}), 'it goes on').toEqual([])
  const closed = catalog.query?.('select 1')
  await expect.poll(() => signals.length).toBe(3)
  await catalog.close()
  await expect(closed).rejects.toThrow('closed')
})

test('reports every statement to a listener, even after the first failure', async () => {
  const fake = source()
  const catalog = await openMetadata({
    ...fake,
    run: async (statement, signal) => {
      if (statement.name === 'tables')
        throw new StagecraftError('CONNECTION_FAILED', 'long', { details: { reason: 'no right' } })
      return fake.run(statement, signal)
    },
  })
  const reports: StatementReport[] = []
  const off = onStatement((report) => reports.push(report))
  await expect(catalog.tables({ schema: name('A') })).rejects.toThrow('long')
  off()
  await expect(catalog.tables({ schema: name('A') })).rejects.toThrow('long')
  expect(reports.map(({ failure, name: one, rows }) => [one, rows ?? failure])).toEqual([
    ['schemas', 3],
    ['tables', 'no right'],
    ['columns', 2],
  ])
})

import { type Catalog, type CatalogTable, StagecraftError, successEnvelopeSchema } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { createEngine } from './engine.ts'

const columns = [{ name: 'id', type: 'bigint', nullable: false }]
const customers: CatalogTable = { schema: 'shop', name: 'customers', columns, primaryKey: ['id'] }
const orders: CatalogTable = {
  schema: 'shop',
  name: 'Orders',
  columns: [...columns, { name: 'customer_id', type: 'bigint' }],
  primaryKey: ['id'],
  foreignKeys: [{ columns: ['customer_id'], references: { table: { name: 'customers' }, columns: ['id'] } }],
}
const empty: CatalogTable = { schema: 'shop', name: 'empty', columns: [] }
const loads: CatalogTable = { schema: 'shop', name: '_dlt_loads', columns }

/** A catalog in memory that counts how often it is asked. */
function memoryCatalog(all: readonly CatalogTable[]): Catalog & { readonly asked: string[] } {
  const asked: string[] = []
  const find = (name: string) => all.find((table) => table.name.toLowerCase() === name.toLowerCase())
  return {
    asked,
    dialect: 'postgres',
    tables: ({ schema, tables }) => {
      asked.push(`tables ${schema?.text ?? '*'}`)
      return Promise.resolve(tables ? tables.flatMap(({ text }) => find(text) ?? []) : all)
    },
    describe: ({ table }) => {
      asked.push(`describe ${table.text}`)
      const found = find(table.text)
      if (found) return Promise.resolve(found)
      return Promise.reject(
        new StagecraftError('INVALID_SOURCE', `no table ${table.text}`, {
          details: { suggestion: 'did you mean customers?' },
        }),
      )
    },
    close: () => Promise.resolve(),
  }
}

test('returns data and meta of the success envelope', async () => {
  const clock = { now: () => Date.UTC(2026, 0, 2) }
  const engine = createEngine({
    catalog: memoryCatalog([customers]),
    clock,
    ids: { next: (prefix) => `${prefix}_1` },
  })
  const answer = await engine.generate({
    type: 'staging',
    source: 'shop.customers',
    options: { addTests: true },
  })
  expect(answer.meta).toEqual({ requestId: 'req_1', timestamp: '2026-01-02T00:00:00.000Z', tokensUsed: 0 })
  expect(answer.data.tests).toEqual(['not_null', 'unique'])
  expect(successEnvelopeSchema.safeParse({ success: true, ...answer }).success).toBe(true)
})

test('makes request ids that sort by time', async () => {
  let now = 0
  const engine = createEngine({ catalog: memoryCatalog([customers]), clock: { now: () => (now += 1000) } })
  const ids = []
  for (let index = 0; index < 5; index++) {
    ids.push((await engine.generate({ type: 'staging', source: 'shop.customers' })).meta.requestId)
  }
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(5)
})

test('takes the stored spelling of a table from the catalog', async () => {
  const engine = createEngine({ catalog: memoryCatalog([orders]) })
  const { data } = await engine.generate({ type: 'staging', source: 'SHOP.ORDERS' })
  expect(data.code).toContain("source('shop', 'orders')")
  expect(data.files.find(({ path }) => path.endsWith('sources.yml'))?.content).toContain('identifier: Orders')
})

test('names a database that a catalog states, however the table was requested', async () => {
  const stated = { ...memoryCatalog([{ ...customers, database: 'raw' }]), statesDatabase: true }
  const engine = createEngine({ catalog: stated })
  const { files } = await engine.generateProject({ type: 'staging', sources: ['shop.*'] })
  const sources = files.find(({ path }) => path.endsWith('sources.yml'))
  expect(sources?.content).toContain('database: raw')
  const { data } = await engine.generate({ type: 'staging', source: 'shop.customers' })
  expect(data.files.find(({ path }) => path === sources?.path)).toEqual(sources)
  const connected = createEngine({ catalog: { ...stated, statesDatabase: false } })
  const other = await connected.generateProject({ type: 'staging', sources: ['shop.*'] })
  expect(other.files.map(({ content }) => content).join('')).not.toContain('database:')
})

test('uses the requested schema if the catalog has none', async () => {
  const { schema: _, ...loose } = customers
  const engine = createEngine({ catalog: memoryCatalog([loose]) })
  const { models } = await engine.generateProject({ type: 'staging', sources: ['crm.customers'] })
  expect(models.map(({ name }) => name)).toEqual(['stg_crm__customers'])
})

test('leaves out excluded tables, unless they are named', async () => {
  const log = { ...customers, name: 'log' }
  const config = { sources: { shop: { tables: { LOG: { exclude: true as const } } } } }
  const engine = createEngine({ catalog: memoryCatalog([customers, log]), config })
  const namesFor = async (sources: readonly string[]): Promise<readonly string[]> =>
    (await engine.generateProject({ type: 'staging', sources })).models.map(({ name }) => name)
  expect(await namesFor(['shop.*'])).toEqual(['stg_shop__customers'])
  expect(await namesFor(['shop.log'])).toEqual(['stg_shop__logs'])
  const whole = createEngine({
    catalog: memoryCatalog([customers]),
    config: { sources: { shop: { exclude: true } } },
  })
  expect((await whole.generateProject({ type: 'staging', sources: [] })).models).toEqual([])
  expect((await whole.generateProject({ type: 'staging', sources: ['shop.*'] })).models).toHaveLength(1)
})

test('reports names in the configuration that match no table', async () => {
  const config = { sources: { shop: { tables: { custmers: {}, customers: { columns: { nmae: {} } } } } } }
  const engine = createEngine({ catalog: memoryCatalog([customers]), config })
  const { models, warnings } = await engine.generateProject({ type: 'staging', sources: ['shop.*'] })
  expect(warnings).toMatchObject([
    { code: 'CONFIG_NOT_USED', message: expect.stringContaining('shop.tables.custmers') },
  ])
  expect(models[0]?.warnings).toMatchObject([{ message: expect.stringContaining('columns.nmae') }])
})

test('queries each schema once, however many tables a run names', async () => {
  const catalog = memoryCatalog([customers, orders])
  const { files } = await createEngine({ catalog }).generateProject({
    type: 'staging',
    sources: ['shop.customers', 'shop.Orders'],
    options: { addTests: true },
  })
  expect(catalog.asked).toEqual(['tables shop'])
  expect(files.map(({ path }) => path)).toEqual([
    'models/staging/shop/_shop__models.yml',
    'models/staging/shop/_shop__sources.yml',
    'models/staging/shop/stg_shop__customers.sql',
    'models/staging/shop/stg_shop__orders.sql',
  ])
  expect(files[0]?.content).toContain("to: ref('stg_shop__customers')")
})

test('returns answers in the order of the names, whatever the order of the catalog', async () => {
  const elsewhere = { ...customers, schema: 'crm', name: 'accounts' }
  const catalog = memoryCatalog([customers, orders, elsewhere])
  catalog.tables = ({ schema, tables }) => {
    const all = [customers, orders, elsewhere].filter((table) => table.schema === schema?.text)
    return Promise.resolve(all.filter(({ name }) => !tables || tables.some(({ text }) => text === name)))
  }
  const engine = createEngine({ catalog })
  const namesFor = async (sources: readonly string[]): Promise<readonly string[]> => {
    const answers = await engine.generateEach({ type: 'staging', sources })
    return answers.map((one) => ('data' in one ? /stg_\w+/.exec(one.data.schema)?.[0] : undefined) ?? '')
  }
  expect(await namesFor(['shop.Orders', 'crm.accounts', 'shop.customers'])).toEqual([
    'stg_shop__orders',
    'stg_crm__accounts',
    'stg_shop__customers',
  ])
  expect(await namesFor(['shop.Orders', 'crm.*', 'shop.*', 'shop.customers'])).toEqual([
    'stg_shop__orders',
    'stg_crm__accounts',
    'stg_shop__customers',
  ])
})

test('reads a schema once, even if one name is missing and another is invalid', async () => {
  const catalog = memoryCatalog([customers, orders])
  const engine = createEngine({ catalog })
  const sources = ['shop.none', 'shop.orders', 'shop..x', 'shop.Customers', 'shop.orders']
  const answers = await engine.generateEach({ type: 'staging', sources })
  expect(catalog.asked).toEqual(['tables shop', 'describe none'])
  expect(answers).toMatchObject([
    { code: 'INVALID_SOURCE' },
    { data: { code: expect.stringContaining('orders') as string } },
    { code: 'INVALID_REQUEST' },
    { data: { code: expect.stringContaining('customers') as string } },
  ])
})

test('an invalid name is refused before the catalog is queried', async () => {
  const catalog = memoryCatalog([customers])
  const project = createEngine({ catalog }).generateProject({
    type: 'staging',
    sources: ['shop.*', 'shop..x'],
  })
  await expect(project).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  expect(catalog.asked).toEqual([])
})

test('leaves out internal tables of a whole schema, with a warning', async () => {
  const engine = createEngine({ catalog: memoryCatalog([customers, empty, loads]) })
  const { models, warnings } = await engine.generateProject({ type: 'staging', sources: ['shop.*'] })
  expect(models.map(({ name }) => name)).toEqual(['stg_shop__customers'])
  expect(warnings.map(({ message }) => message)).toEqual([
    'shop.empty is left out: none of its columns are known',
    'shop._dlt_loads is left out: it is an internal table of its loader',
  ])
  const named = await engine.generateProject({ type: 'staging', sources: ['shop._dlt_loads'] })
  expect(named.models).toHaveLength(1)
})

test('fails with the reasons if every table is left out', async () => {
  const engine = createEngine({ catalog: memoryCatalog([empty, loads]) })
  await expect(engine.generateProject({ type: 'staging', sources: ['shop.*'] })).rejects.toMatchObject({
    code: 'INVALID_SOURCE',
    message:
      'no tables remain: shop.empty is left out: none of its columns are known; shop._dlt_loads is left out: it is an internal table of its loader',
  })
})

test('passes on the error for a missing table', async () => {
  const engine = createEngine({ catalog: memoryCatalog([customers]) })
  const missing = { code: 'INVALID_SOURCE', details: { suggestion: 'did you mean customers?' } }
  await expect(engine.generate({ type: 'staging', source: 'shop.custmers' })).rejects.toMatchObject(missing)
  await expect(engine.generateProject({ type: 'staging', sources: ['shop.custmers'] })).rejects.toMatchObject(
    missing,
  )
})

test('fails if there is nothing to generate', async () => {
  const nothing = { ...memoryCatalog([]), dialect: 'duckdb' } as const
  const engine = createEngine({ catalog: nothing })
  await expect(engine.generateProject({ type: 'staging', sources: [] })).rejects.toMatchObject({
    code: 'INVALID_SOURCE',
    message: 'the catalog has no tables that you may read',
  })
  await expect(engine.generateProject({ type: 'staging', sources: ['shp.*'] })).rejects.toMatchObject({
    code: 'INVALID_SOURCE',
    message: 'no table *',
  })
})

test('refuses a faulty request before it queries the catalog', async () => {
  const catalog = memoryCatalog([customers])
  const engine = createEngine({ catalog })
  await expect(
    engine.generate({ type: 'mart' as 'staging', source: 'shop.customers' }),
  ).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    details: { faults: [{ path: 'type', received: '"mart"' }] },
  })
  expect(catalog.asked).toEqual([])
})

test('stops when its signal is aborted', async () => {
  const engine = createEngine({ catalog: memoryCatalog([customers]) })
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(engine.generate({ type: 'staging', source: 'shop.customers' }, { signal })).rejects.toThrow(
    'enough',
  )
  const many = Array.from({ length: 100 }, (_, index) => ({ ...customers, name: `t${index}` }))
  const late = new AbortController()
  const run = createEngine({ catalog: memoryCatalog(many) }).generateProject(
    { type: 'staging', sources: [] },
    {
      signal: late.signal,
      onProgress: (done) => (done === 30 ? late.abort(new Error('half way')) : undefined),
    },
  )
  await expect(run).rejects.toThrow('half way')
})

test('reports progress table by table', async () => {
  const seen: string[] = []
  await createEngine({ catalog: memoryCatalog([customers, orders]) }).generateProject(
    { type: 'staging', sources: [] },
    { onProgress: (done, total) => seen.push(`${done}/${total}`) },
  )
  expect(seen).toEqual(['1/2', '2/2'])
})

test('requires a dialect', () => {
  const catalog = { ...memoryCatalog([]), dialect: undefined }
  expect(() => createEngine({ catalog })).toThrow(/dialect: expected one of snowflake, .* got nothing/)
  expect(() => createEngine({ catalog, config: { dialect: 'trino' } })).not.toThrow()
})

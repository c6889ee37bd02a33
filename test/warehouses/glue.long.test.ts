import type { Catalog } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { checkCatalog, type CheckStep } from '@stagecraft/catalogs'
import { athena } from '../../packages/catalogs/src/athena/index.ts'
import { askAws } from '../../packages/catalogs/src/aws/ask-aws.ts'
import type { AskAws } from '../../packages/catalogs/src/aws/aws-call.ts'
import { readPlace } from '../../packages/catalogs/src/athena/place.ts'
import { describeWithMoto, type Moto, startMoto } from './moto.ts'

const TEXT = 'athena://AKIA1:secret@eu-west-1/awsdatacatalog/raw'

describeWithMoto('Glue, emulated', () => {
  let catalog: Catalog | undefined
  let ask: AskAws
  let environment: Moto['environment'] = {}
  let stop = (): void => undefined
  const glue = (operation: string, input: Readonly<Record<string, unknown>>) =>
    ask({ service: 'glue', target: `AWSGlue.${operation}`, input })

  beforeAll(async () => {
    const moto = await startMoto()
    environment = moto.environment
    stop = moto.stop
    ask = askAws(readPlace(TEXT), { environment })
    await glue('CreateDatabase', { DatabaseInput: { Name: 'raw' } })
    await glue('CreateDatabase', { DatabaseInput: { Name: 'other' } })
    for (let number = 1; number <= 105; number++)
      await glue('CreateTable', {
        DatabaseName: 'other',
        TableInput: {
          Name: `t${number}`,
          StorageDescriptor: { Columns: [{ Name: `c${number}`, Type: 'int' }] },
        },
      })
    await glue('CreateTable', { DatabaseName: 'raw', TableInput: ORDERS })
    catalog = await athena({ text: TEXT, environment })
  })
  afterAll(async () => {
    await catalog?.close()
    stop()
  })

  test('gives back what was written, columns of partitions last', async () => {
    const tables = await catalog?.tables({})
    expect(tables).toEqual([
      {
        database: 'awsdatacatalog',
        schema: 'raw',
        name: 'orders',
        kind: 'table',
        comment: 'what was sold',
        columns: [
          { name: 'id', type: 'bigint', comment: 'größe ☃' },
          { name: 'amount', type: 'decimal(12,2)' },
          { name: 'place', type: 'struct<city:string,at:array<double>>' },
          { name: 'tags', type: 'map<string,string>' },
          { name: 'day', type: 'date', comment: 'of the load' },
        ],
        storage: { partitionedBy: ['day'] },
      },
    ])
    expect(await catalog?.sizes?.(tables ?? [])).toEqual([{ rows: 42 }])
  })

  test('passes the steps of the doctor that need no rows', async () => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const steps: CheckStep[] = []
    for await (const step of checkCatalog(TEXT)) steps.push(step)
    expect(steps.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
      ...['address', 'driver', 'connect', 'statement schemas', 'statement tables'].map(
        (name) => `${name}: works`,
      ),
      ...['statement schemas', 'statement sizes', 'tables', 'sizes'].map((name) => `${name}: works`),
      'rights: skipped',
      'rows: skipped',
      'cancel: skipped',
    ])
    expect(JSON.stringify(steps)).not.toContain('secret')
  })

  test('reads all pages, and one table by its name', async () => {
    const tables = await catalog?.tables({ schema: { text: 'other', quoted: false } })
    expect(new Set(tables?.map(({ columns, name }) => `${name}:${columns[0]?.name}`)).size).toBe(105)
    const source = { schema: { text: 'other', quoted: false }, table: { text: 'T105', quoted: false } }
    expect((await catalog?.describe(source))?.columns).toEqual([{ name: 'c105', type: 'int' }])
  })

  test('reads in a role that is assumed, which sees what its account has', async () => {
    const read = async (account: string): Promise<readonly string[]> => {
      const role = encodeURIComponent(`arn:aws:iam::${account}:role/reader`)
      const options = `assume_role_external_id=e1&assume_role_duration_seconds=900`
      const assumed = await athena({ text: `${TEXT}?assume_role_arn=${role}&${options}`, environment })
      const tables = await assumed.tables({})
      await assumed.close()
      return tables.map(({ name }) => name)
    }
    expect(await read('123456789012')).toEqual(['orders'])
    expect(await read('210987654321')).toEqual([])
  })
})

const ORDERS = {
  Name: 'orders',
  TableType: 'EXTERNAL_TABLE',
  Parameters: { classification: 'parquet', recordCount: '42', comment: 'what was sold' },
  StorageDescriptor: {
    Columns: [
      { Name: 'id', Type: 'bigint', Comment: 'größe ☃' },
      { Name: 'amount', Type: 'decimal(12,2)' },
      { Name: 'place', Type: 'struct<city:string,at:array<double>>' },
      { Name: 'tags', Type: 'map<string,string>' },
    ],
  },
  PartitionKeys: [{ Name: 'day', Type: 'date', Comment: 'of the load' }],
}

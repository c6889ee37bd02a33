import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalog } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { athena } from '../../packages/catalogs/src/athena/index.ts'
import { askAws, type AskAws } from '../../packages/catalogs/src/athena/ask-aws.ts'
import { readPlace } from '../../packages/catalogs/src/athena/place.ts'
import { repositoryPath } from '../paths.ts'
import { isListening } from '../servers.ts'

/** An emulator of AWS, which keeps what is written and checks no right. */
const MOTO = repositoryPath('.venvs/moto/bin/moto_server')
const isMissing = !existsSync(MOTO)
const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])
const TEXT = 'athena://AKIA1:secret@eu-west-1/awsdatacatalog/raw'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.skipIf(isMissing && !isRequired)(
  'Glue, emulated (test/engines/install.sh)',
  { meta: { needs: 'moto, which test/engines/install.sh installs' } },
  () => {
    let catalog: Catalog | undefined
    let ask: AskAws
    let stop = (): void => undefined
    const glue = (operation: string, input: Readonly<Record<string, unknown>>) =>
      ask({ service: 'glue', target: `AWSGlue.${operation}`, input })

    beforeAll(async () => {
      const port = await freePort()
      const server = spawn(MOTO, ['-H', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' })
      stop = () => void server.kill()
      const environment = { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}/` }
      ask = askAws(readPlace(TEXT), { environment })
      while (!(await isListening('127.0.0.1', port))) await sleep(100)
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

    test('reads all pages, and one table by its name', async () => {
      const tables = await catalog?.tables({ schema: { text: 'other', quoted: false } })
      expect(new Set(tables?.map(({ columns, name }) => `${name}:${columns[0]?.name}`)).size).toBe(105)
      const source = { schema: { text: 'other', quoted: false }, table: { text: 'T105', quoted: false } }
      expect((await catalog?.describe(source))?.columns).toEqual([{ name: 'c105', type: 'int' }])
    })
  },
)

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

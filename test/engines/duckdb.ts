import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type Engine, inUtc } from './engine.ts'

export const duckdb: Engine = {
  name: 'DuckDB',
  dialect: 'duckdb',
  missing: undefined,
  hasCatalog: true,
  types: [
    { type: 'varchar', values: ["'plain'", "''", "' it''s  \\n -- no #1 '"] },
    { type: 'integer', values: ['1', '-2147483648'] },
    { type: 'bigint', values: ['9223372036854775807', '-1'] },
    { type: 'hugeint', values: ['170141183460469231731687303715884105727'] },
    { type: 'ubigint', values: ['18446744073709551615'] },
    { type: 'utinyint', values: ['255'] },
    { type: 'decimal(38,9)', values: ['12345678901234567890123456789.123456789', '-0.000000001'] },
    { type: 'decimal(10,2)', values: ['99999999.99'] },
    { type: 'double', values: ['0.1', '1e300'] },
    { type: 'float', values: ['0.5'] },
    { type: 'boolean', values: ['true', 'false'] },
    { type: 'date', values: ["'2024-02-29'", "'0001-01-01'"] },
    { type: 'time', values: ["'23:59:59.123456'"] },
    { type: 'timestamp', values: ["'2024-02-29 12:34:56.123456'"] },
    { type: 'timestamp_ns', values: ["'2024-02-29 12:34:56.123456789'"] },
    { type: 'timestamptz', values: ["'2024-07-01 00:30:00.25+02'", "'1969-12-31 23:59:59-05'"] },
    { type: 'interval', values: ["interval '1 month 2 days'"] },
    { type: 'uuid', values: ["'c0ffee00-0000-4000-8000-00000000cafe'"] },
    { type: 'json', values: [`'{"a": [1, null, "x  y"]}'`] },
    { type: 'blob', values: ["'\\x00\\xFF'::blob"] },
    { type: 'integer[]', values: ['[1, null, 3]'] },
    { type: 'struct(a integer, "B c" varchar)', values: [`{'a': 1, 'B c': 'x'}`] },
    { type: 'map(varchar, integer)', values: ["map {'k': 1}"] },
    { type: "enum('open', 'It''s')", values: ["'It''s'"] },
    { type: 'bit', values: ["'0101'::bit"] },
  ],
  open: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stagecraft-engine-'))
    const path = join(folder, 'warehouse.duckdb')
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    await connection.run("set TimeZone = 'America/New_York'")
    await connection.run('create schema raw')
    return {
      catalog: `duckdb:${path}`,
      run: async (statement) => void (await connection.run(statement)),
      query: async (statement) => {
        const reader = await connection.runAndReadAll(statement)
        const rows = reader.getRowsJson().map((row) => row.map(printValue))
        return { columns: reader.columnNames(), rows }
      },
      close: async () => {
        connection.closeSync()
        instance.closeSync()
        await rm(folder, { recursive: true })
      },
    }
  },
}

function printValue(value: unknown): string | null {
  if (value === null) return null
  return typeof value === 'string' ? inUtc(value) : JSON.stringify(value)
}

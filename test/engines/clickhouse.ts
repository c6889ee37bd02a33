import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { repositoryPath } from '../paths.ts'
import { serveClickhouse } from './clickhouse-http.ts'
import type { Engine } from './engine.ts'
import { startSession } from './line-process.ts'

const folder = repositoryPath('.venvs/chdb')

export const clickhouse: Engine = {
  name: 'ClickHouse',
  dialect: 'clickhouse',
  missing: existsSync(`${folder}/done`) ? undefined : 'test/engines/install.sh installs it',
  hasCatalog: true,
  types: [
    { type: 'Nullable(String)', values: ["'plain'", "''", String.raw`' it\'s  \n -- no #1 '`] },
    { type: 'LowCardinality(Nullable(String))', values: ["'low'"] },
    { type: 'FixedString(3)', values: ["'ab'"], notNull: true },
    { type: 'Nullable(Int64)', values: ['9223372036854775807', '-1'] },
    { type: 'Nullable(UInt64)', values: ['18446744073709551615'] },
    { type: 'Nullable(UInt8)', values: ['255'] },
    {
      type: 'Nullable(Int256)',
      values: ["toInt256('-57896044618658097711785492504343953926634992332820282019728792003956564819968')"],
    },
    {
      type: 'Nullable(Decimal(38, 9))',
      values: ["toDecimal128('12345678901234567890123456789.123456789', 9)"],
    },
    { type: 'Nullable(Float64)', values: ['0.1', '1e300'] },
    { type: 'Nullable(Float32)', values: ['0.5'] },
    { type: 'Nullable(Bool)', values: ['true', 'false'] },
    { type: 'Nullable(Date)', values: ["'2024-02-29'"] },
    { type: 'Nullable(Date32)', values: ["'1925-01-01'"] },
    { type: "Nullable(DateTime('UTC'))", values: ["'2024-07-01 00:30:00'"] },
    { type: "Nullable(DateTime64(6, 'UTC'))", values: ["'2024-07-01 00:30:00.25'"] },
    { type: "Nullable(DateTime64(9, 'UTC'))", values: ["'2024-07-01 00:30:00.123456789'"] },
    { type: 'Nullable(UUID)', values: ["'c0ffee00-0000-4000-8000-00000000cafe'"] },
    { type: 'Nullable(IPv4)', values: ["'10.0.0.1'"] },
    { type: "Nullable(Enum8('open' = 1, 'It\\'s' = 2))", values: [String.raw`'It\'s'`] },
    { type: 'Array(Nullable(Int32))', values: ['[1, null, 3]'], notNull: true },
    { type: 'Tuple(a Int32, b String)', values: ["(1, 'x')"], notNull: true },
    { type: 'Map(String, Int32)', values: ["map('k', 1)"], notNull: true },
  ],
  hidden: {
    statements: [
      "create table raw.hidden (id Int32, at DateTime materialized toDateTime(id, 'UTC'), `Weird \\`one` Int32 alias id + 1) engine = Memory",
      'insert into raw.hidden (id) values (1), (2)',
    ],
    columns: [
      { name: 'id', type: 'Int32' },
      { name: 'at', type: 'DateTime', hidden: true },
      { name: 'Weird `one', type: 'Int32', hidden: true },
    ],
  },
  tableOptions: 'engine = Memory',
  open: async () => {
    const script = fileURLToPath(new URL('clickhouse-session.ts', import.meta.url))
    const session = startSession(process.execPath, [script, folder])
    await session.run('create database raw')
    const server = await serveClickhouse(session)
    return {
      ...session,
      catalog: `clickhouse://${server.host}/raw`,
      close: async () => {
        await server.close()
        await session.close()
      },
    }
  },
}

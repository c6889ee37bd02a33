import { Client } from 'pg'
import { postgresServer } from '../servers.ts'
import { type Engine, inUtc } from './engine.ts'

const server = await postgresServer()

/** Everything as the server prints it. */
const AS_TEXT = { getTypeParser: () => (text: string | Buffer) => inUtc(String(text)) }

export const postgres: Engine = {
  name: 'PostgreSQL',
  dialect: 'postgres',
  missing: server.isReachable ? undefined : `a server in ${server.variable}`,
  hasCatalog: true,
  takes: (name) => Buffer.byteLength(name) <= 63,
  types: [
    { type: 'text', values: ["'plain'", "''", "' it''s  \\n -- no #1 '"] },
    { type: 'varchar(40)', values: ["'x  y'"] },
    { type: 'char(5)', values: ["'abcde'"] }, // padding means nothing, and a cast to text drops it
    { type: 'integer', values: ['1', '-2147483648'] },
    { type: 'bigint', values: ['9223372036854775807', '-1'] },
    { type: 'smallint', values: ['-32768'] },
    { type: 'numeric', values: ['123456789012345678901234567890.123456789012345', "'NaN'"] },
    { type: 'numeric(38,9)', values: ['12345678901234567890123456789.123456789', '-0.000000001'] },
    { type: 'double precision', values: ['0.1', "'Infinity'", '1e300'] },
    { type: 'real', values: ['0.5'] },
    { type: 'boolean', values: ['true', 'false'] },
    { type: 'date', values: ["'2024-02-29'", "'infinity'"] },
    { type: 'time', values: ["'23:59:59.123456'"] },
    { type: 'timetz', values: ["'23:59:59.123456+02'"] },
    { type: 'timestamp', values: ["'2024-02-29 12:34:56.123456'"] },
    { type: 'timestamptz', values: ["'2024-07-01 00:30:00.25+02'", "'1969-12-31 23:59:59-05'"] },
    { type: 'interval', values: ["'1 month 2 days'"] },
    { type: 'uuid', values: ["'c0ffee00-0000-4000-8000-00000000cafe'"] },
    { type: 'json', values: [`'{"a": [1, null, "x  y"]}'`] },
    { type: 'jsonb', values: [`'{"b": {"c": "-- x"}}'`] },
    { type: 'bytea', values: ["'\\x00ff'"] },
    { type: 'integer[]', values: ["'{1,NULL,3}'"] },
    { type: 'text[]', values: [`'{"a, b",c}'`] },
    { type: 'inet', values: ["'10.0.0.0/8'"] },
    { type: 'xml', values: ["'<a>1</a>'"] },
    { type: 'point', values: ["'(1,2)'"] },
    { type: 'bit(3)', values: ["B'101'"] },
    { type: 'tsrange', values: ["'[2024-01-01,2024-02-01)'"] },
    { type: '"char"', values: ["'x'"] },
    { type: 'oid', values: ['42'] },
  ],
  open: async () => {
    const database = `stagecraft_engines_${process.pid}`
    await administer(`drop database if exists ${database} with (force)`)
    await administer(`create database ${database}`)
    const url = new URL(server.url)
    url.pathname = `/${database}`
    const client = new Client({ connectionString: url.href })
    await client.connect()
    await client.query("set timezone = 'America/New_York'; create schema raw")
    return {
      catalog: url.href,
      run: async (statement) => void (await client.query(statement)),
      query: async (statement) => {
        const { fields, rows } = await client.query<(string | null)[]>({
          text: statement,
          rowMode: 'array',
          types: AS_TEXT,
        })
        return { columns: fields.map(({ name }) => name), rows }
      },
      close: async () => {
        await client.end()
        await administer(`drop database if exists ${database} with (force)`)
      },
    }
  },
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

import { createConnection, type TypeCastField } from 'mysql2/promise'
import { mysqlServer } from '../servers.ts'
import { type Engine, inUtc } from './engine.ts'

const server = await mysqlServer()

const ZONE = '-05:00'

export const mariadb: Engine = {
  name: 'MariaDB',
  dialect: 'mysql',
  missing: server.isReachable ? undefined : `a server in ${server.variable}`,
  hasCatalog: true,
  takes: (name) => name.length <= 64 && !/\s$|[\u{10000}-\u{10ffff}]/u.test(name) && name !== '__proto__', // which mysql2 refuses

  types: [
    { type: 'varchar(40)', values: ["'plain'", "''", "' it''s  -- no #1'"] },
    { type: 'char(5)', values: ["'ab'"] },
    { type: 'text', values: [String.raw`'a\\b\nc'`] },
    { type: 'int', values: ['1', '-2147483648'] },
    { type: 'int unsigned', values: ['4294967295'] },
    { type: 'bigint', values: ['9223372036854775807', '-1'] },
    { type: 'bigint unsigned', values: ['18446744073709551615'] },
    { type: 'tinyint(1)', values: ['0', '1', '2', '-1'] },
    { type: 'tinyint', values: ['-128'] },
    { type: 'mediumint', values: ['8388607'] },
    { type: 'year', values: ['2024'] },
    { type: 'decimal(38,9)', values: ['12345678901234567890123456789.123456789', '-0.000000001'] },
    { type: 'decimal(10,2)', values: ['99999999.99'] },
    { type: 'double', values: ['0.1', '1e300'] },
    { type: 'float', values: ['0.5'] },
    { type: 'date', values: ["'2024-02-29'"] },
    { type: 'time(6)', values: ["'-838:59:59'", "'23:59:59.123456'"] },
    { type: 'datetime(6)', values: ["'2024-02-29 12:34:56.123456'"] },
    { type: 'timestamp(6) null', values: ["'2024-07-01 00:30:00.25'"] },
    { type: 'json', values: [`'{"a": [1, null, "x  y"]}'`] },
    { type: 'binary(2)', values: ["x'00ff'"] },
    { type: 'varbinary(4)', values: ["x'00ff41'"] },
    { type: 'blob', values: ["x'ff00'"] },
    { type: 'bit(1)', values: ["b'1'", "b'0'"] },
    { type: 'bit(10)', values: ["b'1000000001'"] },
    { type: "enum('open','It''s')", values: ["'It''s'"] },
    { type: "set('a','b')", values: ["'a,b'"] },
    { type: 'uuid', values: ["'c0ffee00-0000-4000-8000-00000000cafe'"] },
    { type: 'inet6', values: ["'::1'"] },
    { type: 'point', values: ["ST_GeomFromText('POINT(1 2)')"] },
  ],
  hidden: {
    statements: [
      "create table `hidden` (id int, secret varchar(9) invisible default 'x', `Weird \"one` int invisible default 7)",
      'insert into `hidden` (id) values (1), (2)',
    ],
    columns: [],
  },
  tableOptions: 'character set utf8mb4',
  open: async () => {
    const url = new URL(server.url)
    url.pathname = '/'
    url.searchParams.set('charset', 'utf8mb4')
    const database = `raw_${process.pid}`
    const connection = await createConnection({ uri: url.href })
    await connection.query(`drop database if exists ${database}`)
    await connection.query(`create database ${database} character set utf8mb4`)
    await connection.query(`use ${database}`)
    await connection.query(`set time_zone = '${ZONE}'`)
    await connection.query('set join_cache_level = 4') // joins by hash, where tables have no index
    const catalog = new URL(server.url)
    catalog.pathname = `/${database}`
    return {
      catalog: catalog.href,
      run: async (statement) => void (await connection.query(statement)),
      query: async (statement) => {
        const [rows, fields] = await connection.query({ sql: statement, rowsAsArray: true, typeCast: asText })
        return { columns: fields.map(({ name }) => name), rows: rows as (string | null)[][] }
      },
      close: async () => {
        await connection.query(`drop database if exists ${database}`)
        await connection.end()
      },
    }
  },
}

const BINARY = new Set([
  'TINY_BLOB',
  'MEDIUM_BLOB',
  'LONG_BLOB',
  'BLOB',
  'BIT',
  'GEOMETRY',
  'STRING',
  'VAR_STRING',
])

/** A `timestamp` is printed in the session's zone, everything else has none. */
function asText(field: TypeCastField & { readonly encoding?: string }): string | null {
  if (
    BINARY.has(field.type) &&
    (field.type === 'BIT' || field.type === 'GEOMETRY' || field.encoding === 'binary')
  )
    return field.buffer()?.toString('hex') ?? null
  const text = field.string('utf8')
  if (text === null) return null
  return inUtc(field.type === 'TIMESTAMP' ? text + ZONE : text)
}

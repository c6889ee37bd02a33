import type { DialectName } from '@stagecraft/spec'
import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { parseType } from '../../packages/core/src/sql/types.ts'
import { clickhouse } from './clickhouse.ts'
import { duckdb } from './duckdb.ts'
import { describeOn, type Engine, type Row, schemaOf } from './engine.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'

/** The query for every name of a type, and the name of the type that it stands for, if that is another. */
const NAMES: readonly (readonly [Engine, string])[] = [
  [duckdb, 'select distinct type_name, logical_type from duckdb_types()'],
  [
    postgres,
    `select format_type(oid, null), null from pg_type
     where typtype in ('b', 'r', 'm') and typcategory <> 'A' and typnamespace = 'pg_catalog'::regnamespace`,
  ],
  [
    clickhouse,
    `select name, alias_to from system.data_type_families where name not in ('Nullable', 'LowCardinality')`,
  ],
]

for (const [engine, query] of NAMES)
  describeOn(engine, () => {
    test('every type is known by all of its names', async () => {
      const session = await engine.open()
      const { rows } = await session.query(query).finally(() => session.close())
      expect(rows.flatMap((row) => faultOf(row, engine.dialect))).toEqual([])
      expect(rows.length).toBeGreaterThan(50)
    })
  })

/** DuckDB's name for JSON is one of a text. */
function faultOf([name, stored]: Row, dialect: DialectName): readonly string[] {
  const type = parseType(name ?? '', DIALECTS[dialect])
  if (!type.known) return [`${name} is not known`]
  if (!stored || name === 'JSON') return []
  const { family } = parseType(stored, DIALECTS[dialect])
  return type.family === family ? [] : [`${name} is ${type.family}, ${stored} is ${family}`]
}

/** Names that scripts for MySQL and MariaDB have, beside those that the server prints. */
const OTHER_NAMES =
  `char(3);character(3);character varying(3);char varying(3);nchar(3);nvarchar(3);nchar varchar(3)
  nchar varying(3);national char(3);national varchar(3);national character(3);national character varying(3);long
  long varchar;long char varying;long varbinary;float4;float8;char(3) byte;varchar(3) byte;text byte;middleint;int1
  int2;int3;int4;int8;dec(5,2);fixed(5,2);numeric(5,2);double precision;real;bool;boolean;year(4);bit(3);bit(1)
  tinytext;mediumtext;longtext;tinyblob;mediumblob;longblob;json`
    .split(/[;\n]/)
    .map((name) => name.trim())

describeOn(mariadb, () => {
  test('every name of a type is of the family of the type that it stands for', async () => {
    const session = await mariadb.open()
    try {
      const faults: string[] = []
      for (const name of OTHER_NAMES) {
        await session.run(`create or replace table named (c ${name})`)
        const { rows } = await session.query(
          `select column_type from information_schema.columns where table_schema = '${schemaOf(mariadb)}' and table_name = 'named'`,
        )
        const stored = rows[0]?.[0] ?? ''
        const isOther = /^(?:bool|boolean|json)$/.test(name) // which have no type of their own there
        if (!isOther) faults.push(...faultOf([name, stored], 'mysql'))
      }
      expect(faults).toEqual([])
    } finally {
      await session.close()
    }
  })
})

import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { findFalseComment } from './false-comment.ts'

const { bigquery, clickhouse, duckdb, mysql, postgres, snowflake, sqlserver } = DIALECTS

test.each([
  ['---------- ids\n', mysql, '"---------- ids" is no comment in mysql: it wants white space behind'],
  ['a, --b\n', mysql, '"--b" is no comment'],
  ['/*! 1 */', mysql, 'it runs what stands inside'],
  ['/*M!100100 1 */', mysql, 'it runs what stands inside'],
  ['/* a /* b */ c */', mysql, '"*/" is no comment in mysql: comments do not nest there'],
  ['/* models/*.sql */ a', postgres, 'opens a comment that is never closed in postgres'],
  ['a\n  # ids\n', postgres, '"# ids" is no comment in postgres: begin it with "--"'],
  ['a\n//ids', duckdb, '"//ids" is no comment'],
  ['#ids', clickhouse, '"#ids" is no comment'],
  ["'it''s' --'", mysql, `"--'" is no comment`],
])('finds %j', (sql, dialect, message) => {
  expect(findFalseComment(`select\n${sql}`, dialect)).toContain(message)
})

test.each([
  ['-- -------- ids\n--\n--\tx', mysql],
  ['# ids', mysql],
  ['\'---\' as a, `-- b` as c, "--d" as e', mysql],
  ["'it\\'s --' as a", mysql],
  ['/* -- */ a -- b', mysql],
  ['---------- ids', postgres],
  ['/* a /* b */ c */', postgres],
  ["a\n #>> '{b}' as c, d # 2 as e", postgres],
  ["'a\\' as b -- c", postgres],
  ['t.*/* all */', postgres],
  ['# ids\n---- x', bigquery],
  ['// ids\n----- x', snowflake],
  ['a // 2 as b', duckdb],
  ['# ids\n#! x\n// y\n---z', clickhouse],
  ['"--" as a, [b], \'#\' as c', sqlserver],
  ['{# --- a #} a {{ "--" }}', mysql],
])('lets %j be', (sql, dialect) => {
  expect(findFalseComment(`select\n${sql}`, dialect)).toBeUndefined()
})

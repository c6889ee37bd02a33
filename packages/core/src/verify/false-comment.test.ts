import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { findFalseComment } from './false-comment.ts'

const { bigquery, clickhouse, duckdb, mysql, postgres, snowflake, sqlserver } = DIALECTS

test.each([
  ['---------- ids\n', mysql, '"---------- ids" is not a comment in mysql: it needs a space after'],
  ['a, --b\n', mysql, '"--b" is not a comment'],
  ['/*! 1 */', mysql, 'it runs the content of the comment'],
  ['/*M!100100 1 */', mysql, 'it runs the content of the comment'],
  ['/* a /* b */ c */', mysql, '"*/" is not a comment in mysql: comments do not nest there'],
  ['/* models/*.sql */ a', postgres, 'opens a comment that is never closed in postgres'],
  ['a\n  # ids\n', postgres, '"# ids" is not a comment in postgres: begin it with "--"'],
  ['a\n//ids', duckdb, '"//ids" is not a comment'],
  ['#ids', clickhouse, '"#ids" is not a comment'],
  ["'it''s' --'", mysql, `"--'" is not a comment`],
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
])('accepts %j', (sql, dialect) => {
  expect(findFalseComment(`select\n${sql}`, dialect)).toBeUndefined()
})

import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { loadSqlCheck, renderJinja } from './sql-parser.ts'

test('puts names in the place of Jinja', () => {
  const sql =
    "{{ config(materialized='view') }}\nselect '{{ '{{' }}', x {# note #} from {{ ref('a') }}{% if y %}{% endif %}"
  expect(renderJinja(sql)).toBe("select '{{', x  from jinja_relation")
})

test('finds a fault in SQL, and none where there is none', async () => {
  const check = await loadSqlCheck(DIALECTS.postgres)
  expect(check?.("select a from {{ source('a', 'b') }}")).toBeUndefined()
  expect(check?.('select a form b c d')).toContain('found')
})

test('has no check where there is no grammar', async () => {
  expect(await loadSqlCheck(DIALECTS.databricks)).toBeUndefined()
})

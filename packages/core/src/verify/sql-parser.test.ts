import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { loadSqlCheck, renderJinja } from './sql-parser.ts'

test('replaces Jinja by names', () => {
  const sql =
    "{{ config(materialized='view') }}\nselect '{{ '{{' }}', x {# note #} from {{ ref('a') }}{% if y %}{% endif %}"
  expect(renderJinja(sql)).toBe("select '{{', x  from jinja_relation")
})

test('finds faults only in faulty SQL', async () => {
  const check = await loadSqlCheck(DIALECTS.postgres)
  expect(check?.("select a from {{ source('a', 'b') }}")).toBeUndefined()
  expect(check?.('select a form b c d')).toContain('found')
})

test('has no check without a grammar', async () => {
  expect(await loadSqlCheck(DIALECTS.databricks)).toBeUndefined()
})

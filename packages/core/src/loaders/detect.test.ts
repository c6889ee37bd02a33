import { expect, test } from 'vitest'
import { findLoader, isLoaderColumn, isSystemTable } from './detect.ts'
import { LOADERS } from './index.ts'

test.each([
  [['id', '_FIVETRAN_SYNCED'], 'fivetran'],
  [['id', '_fivetran_start', '_fivetran_active', '_fivetran_synced'], 'fivetran-history'],
  [['_airbyte_raw_id', 'id'], 'airbyte'],
  [['_airbyte_ab_id', 'id'], 'airbyte-v1'],
  [['_sdc_batched_at'], 'stitch'],
  [['_sdc_batched_at', '_sdc_sync_started_at'], 'meltano'],
  [['_dlt_id'], 'dlt'],
  [['_dlt_id', '_dlt_valid_from', '_dlt_valid_to'], 'dlt-scd2'],
  [['op', 'dms_timestamp'], 'dms'],
  [['_meta/op', 'x'], 'estuary'],
  [['event_id', 'collector_tstamp'], 'snowplow'],
  [['_loaded_at'], 'generic'],
])('recognizes %j as filled by %s', (columns, name) => {
  expect(findLoader(columns, 'auto')?.name).toBe(name)
})

test.each([[['id', 'op', 'deleted_at']], [['received_at', 'id']], [['_synced', 'fivetran_synced']], [[]]])(
  'finds no loader for %j',
  (columns) => {
    expect(findLoader(columns, 'auto')).toBeUndefined()
  },
)

test('chooses the matching variant of a named loader', () => {
  expect(findLoader(['id'], 'fivetran')?.name).toBe('fivetran')
  expect(findLoader(['_fivetran_start', '_fivetran_active'], 'fivetran')?.name).toBe('fivetran-history')
  expect(findLoader(['_fivetran_synced'], 'none')).toBeUndefined()
})

test('refuses an unknown loader, and lists the known ones', () => {
  expect(() => findLoader([], 'fivtran')).toThrow(/expected one of auto, none, .*fivetran.*; got "fivtran"/)
})

test('knows the internal tables of loaders', () => {
  expect(isSystemTable('_DLT_LOADS')).toBe(true)
  expect(isSystemTable('loads')).toBe(false)
})

test.each(LOADERS.map((pack) => [pack.name, pack] as const))('the pack %s is whole', (_, pack) => {
  const named = [
    ...pack.loaded.map(({ column }) => column),
    ...pack.deleted.map(({ column }) => column),
    ...pack.versions.map(({ column }) => column),
    ...(pack.rowKey === undefined ? [] : [pack.rowKey]),
    ...(pack.historyKey === undefined ? [] : [pack.historyKey]),
  ]
  const business = new Set([pack.key, 'dvce_created_tstamp'])
  for (const column of named) {
    expect(column).toBe(column.toLowerCase())
    if (!business.has(column)) expect(isLoaderColumn(column, pack), column).toBe(true)
  }
  expect(pack.pages.length).toBeGreaterThan(0)
  for (const text of Object.values(pack.columns)) expect(text).toMatch(/^[A-Z].*\.$/)
})

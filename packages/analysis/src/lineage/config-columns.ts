import { type IndexedModel, isCode, scanSql } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import { versionOf } from '../project/model-config.ts'
import type { Entry } from '../project/properties-file.ts'
import type { Place } from '../project/source-file.ts'
import { placeOf } from '../rules/subjects.ts'
import { isSame } from './known-columns.ts'

/**
 * Settings that name columns of the model itself.
 *
 * Source: dbt's documentation of incremental models, of snapshots, and of the configurations of adapters.
 */
const KEYS = [
  'unique_key',
  'updated_at',
  'check_cols',
  'event_time',
  'merge_update_columns',
  'merge_exclude_columns',
  'partition_by',
  'cluster_by',
  'dist',
  'sort',
  'order_by',
  'primary_key',
] as const

/** Returns the place of the first setting of a model that names a column. */
export function configNaming(project: LintProject, model: IndexedModel, column: string): Place | undefined {
  const key = KEYS.find((one) => {
    const found = project.configOf(model, one)
    return found.status === 'set' && isNamedIn(project, found.value, column)
  })
  return key && placeOfSetting(project, model, key)
}

/** Returns true for the column itself, and for a list or an expression that names it. */
function isNamedIn(project: LintProject, value: unknown, column: string): boolean {
  if (Array.isArray(value)) return value.some((one) => isNamedIn(project, one, column))
  if (typeof value === 'object' && value !== null) {
    const { field, fields } = value as { readonly field?: unknown; readonly fields?: unknown }
    return isNamedIn(project, [field, fields], column)
  }
  if (typeof value !== 'string') return false
  return (
    isSame(value, column) ||
    scanSql(value, project.dialect)
      .filter((token) => isCode(token) && (token.kind === 'word' || token.kind === 'name'))
      .some(({ kind, text }) => isSame(kind === 'name' ? text.slice(1, -1) : text, column))
  )
}

function placeOfSetting(project: LintProject, model: IndexedModel, key: string): Place {
  const { path } = model
  const file = project.files.get(path)
  const call = project.calls.get(path)?.findLast(({ name, named }) => name === 'config' && key in named)
  const start = call && file ? file.text.indexOf(key, call.offset) : -1
  if (start !== -1) return { path, start, end: start + key.length }
  const entry = project.entryOf(model)
  const written = entry && (versionOf(entry, model) ?? entry)
  return written?.pair(key)?.key ?? placeInConfig(project, written, key) ?? placeOf(project, model)
}

function placeInConfig({ files }: LintProject, entry: Entry | undefined, key: string): Place | undefined {
  const config = entry?.pair('config')
  const file = config && files.get(config.key.path)
  const start = file ? file.text.indexOf(key, config.key.end) : -1
  return start === -1 ? config?.key : config && { ...config.key, start, end: start + key.length }
}

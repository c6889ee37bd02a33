import { resolveEscapes } from '../sql/escapes.ts'
import { readEnumType } from '../sql/enum-type.ts'
import { readJsonCheck } from '../sql/json-check.ts'
import { quoteText } from '../sql/quote-text.ts'
import type { CheckRow, ColumnRow, TablePlace, TableRow } from '../warehouse/warehouse.ts'

export interface RawTable extends TablePlace {
  readonly type: string
  readonly comment: string
}

export interface RawColumn extends TablePlace {
  readonly name: string
  readonly type: string
  readonly nullable: 'YES' | 'NO'
  readonly default: string | null
  readonly comment: string
  readonly extra: string
}

/** The comment of a view is the word VIEW, or why it is broken. */
export function toTableRow({ comment, schema, table, type }: RawTable): TableRow {
  const isView = type.endsWith('VIEW')
  return { schema, table, kind: isView ? 'view' : 'table', comment: isView ? null : comment }
}

export function toColumnRow(row: RawColumn, checks: readonly CheckRow[]): ColumnRow {
  const { comment, name, nullable, schema, table, type } = row
  return {
    schema,
    table,
    name,
    type: isJson(row, checks) ? 'json' : type,
    nullable: nullable === 'YES',
    comment,
    default: defaultOf(row),
    values: readEnumType(type, 'mysql') ?? null,
    hidden: /\bINVISIBLE\b/i.test(row.extra),
  }
}

function isJson({ name, schema, table, type }: RawColumn, checks: readonly CheckRow[]): boolean {
  if (type !== 'longtext') return false
  return checks.some(
    (check) =>
      check.schema === schema && check.table === table && readJsonCheck(check.expression)?.text === name,
  )
}

/**
 * The default as an expression. MariaDB prints it as one, with `NULL` for none; MySQL prints a text without its
 * quotes, and says of an expression that it is DEFAULT_GENERATED.
 */
function defaultOf({ default: text, extra, type }: RawColumn): string | null {
  if (text === null || text === 'NULL' || /\b(?:VIRTUAL|STORED|PERSISTENT) GENERATED\b/i.test(extra))
    return null
  if (/\bDEFAULT_GENERATED\b/i.test(extra)) return resolveEscapes(text)
  const isExpression = /^['(]|^current_timestamp|\(\)$/i.test(text)
  const isText = /^(?:(?:var)?char|tinytext|text|mediumtext|longtext|enum|set|date|time|year)/i.test(type)
  return isText && !isExpression ? quoteText(text) : text
}

import { parseType } from '@stagecraft/core/run'
import type { Dialect } from '@stagecraft/dialects'
import type { Warning } from '@stagecraft/spec'
import { type FinalColumn, finalColumns, type FinalColumns } from '../merge/final-columns.ts'
import { aliased, fold, namesRead } from '../merge/output-name.ts'
import { renameReads } from '../merge/rename-reads.ts'
import { tokenStream } from '../merge/same-tokens.ts'
import { isCode, type SqlSyntax } from '../merge/scan-sql.ts'
import type { ArrangedTable, ArrangedTables } from './arrange-tables.ts'
import { isChange } from './describe-plan.ts'
import { spelledRenames } from './plan-model.ts'
import type { PlannedFile } from './plan-types.ts'

/**
 * Warns of columns that keep their name but have another expression: dbt does not notice if cents become units of
 * money, or if a new column takes the name of another. Other changes of the warehouse are reported separately.
 */
export function changedValues(
  { tables }: ArrangedTables,
  files: readonly PlannedFile[],
  syntax: Dialect,
): readonly Warning[] {
  const byPath = new Map(files.filter(isChange).map((file) => [file.path, file]))
  return tables.flatMap((table) => {
    const file = byPath.get(table.model.path)
    if (!table.isSelected || !table.locked || !file) return []
    const columns = spelledRenames(table.renames, table.wanted.sql, syntax)
    const renamed = file.before && renameReads(file.before, { columns, keepsNames: true, syntax })
    const [before, after] = [expressionsOf(renamed, syntax), expressionsOf(file.after, syntax)]
    const changed = [...after].flatMap(([name, is]) => {
      const was = before.get(name)
      return was !== undefined && was.text !== is.text ? [{ name, was, is }] : []
    })
    return changed.length === 0 ? [] : reallyChanged(changed, table, syntax)
  })
}

interface ChangedExpression {
  /** The name that the column keeps. */
  readonly name: string
  readonly was: Expression
  readonly is: Expression
}

interface Expression {
  readonly text: string
  /** The names that it reads, in their form for comparison. */
  readonly reads: ReadonlySet<string>
}

function reallyChanged(
  changed: readonly ChangedExpression[],
  { drifts, model, wanted }: ArrangedTable,
  syntax: Dialect,
): readonly Warning[] {
  const isRead = (column: string | undefined, { reads }: Expression): boolean =>
    column !== undefined && reads.has(fold(column, syntax))
  // a new column that takes the name of another changes the meaning of the name
  const told = drifts.filter(({ kind }) => !['added', 'comment', 'nullability', 'renamed'].includes(kind))
  return changed.flatMap(({ is, name, was }): readonly Warning[] => {
    if (told.some(({ column }) => isRead(column, is))) return []
    const raw = wanted.item.table.columns.find((one) => isRead(one.name, is))
    const column = raw?.name
    if (isSameValue(was.text, is.text, { type: raw?.type, dialect: syntax })) return []
    const message = `${model.name} will select ${name} as ${shown(is)} instead of ${shown(was)}, so its values change under the same name; check its readers, or rename the column`
    return [{ code: 'VALUES_CHANGED', message, ...(column !== undefined && { column }) }]
  })
}

/** Returns the expressions of a model's columns by name; empty if its text does not show them. */
function expressionsOf(text: string | undefined, syntax: SqlSyntax): ReadonlyMap<string, Expression> {
  const found: FinalColumns | undefined = text === undefined ? undefined : finalColumns(text, syntax)
  return new Map(
    found?.columns.map((column) => {
      const code = (column.items.at(-1)?.tokens ?? []).filter(isCode)
      return [column.name, { text: expressionOf(column), reads: namesRead(code, syntax) }] as const
    }),
  )
}

/** Returns the expression of a column, without its alias, on one line. */
export function expressionOf({ items }: FinalColumn): string {
  const { text = '', tokens = [] } = items.at(-1) ?? {}
  const code = tokens.filter(isCode)
  const last = aliased(code) ? code.at(-1) : undefined
  const end = last === undefined ? text.length : text.length - last.text.length
  const expression = text
    .slice(0, end)
    .replace(/\s+as\s*$/i, '')
    .replace(/\s+/g, ' ')
  return expression.trim()
}

interface ValueContext {
  /** The stored type of the column; undefined where the expression reads none. */
  readonly type: string | undefined
  readonly dialect: Dialect
}

/**
 * Returns true if two expressions differ only in a cast to a type of the same family: text as a time is another
 * value.
 */
function isSameValue(was: string, is: string, { dialect, type = '' }: ValueContext): boolean {
  const [before, after] = [splitCast(was), splitCast(is)]
  if (tokenStream(before.inner, dialect) !== tokenStream(after.inner, dialect)) return false
  const familyOf = (own: string | undefined): string => parseType(own ?? type, dialect).family
  return familyOf(before.type) === familyOf(after.type)
}

/** Splits a cast into its expression and its type; undefined without a cast. */
function splitCast(expression: string): { readonly inner: string; readonly type: string | undefined } {
  const { groups } =
    /^(?:try_|safe_)?cast\((?<inner>.*) as (?<type>[^()]+(?:\([\d, ]*\))?[^()]*)\)$/is.exec(expression) ??
    /^(?<inner>[^\s:]+)::(?<type>[^:]+)$/.exec(expression) ??
    {}
  return { inner: groups?.['inner'] ?? expression, type: groups?.['type'] }
}

const LONGEST = 60

function shown({ text }: Expression): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

import type { CatalogTable, Column, DialectName, ForeignKey } from '@stagecraft/spec'
import { findName } from '../find-table.ts'
import { Cursor } from '../sql/cursor.ts'
import { readTokens } from '../sql/tokenizer.ts'
import { mergeValues } from '../sql/value-list.ts'
import { findColumn } from './apply-action.ts'
import type { ColumnDefinition, Constraint, TableDefinition, TypeDefinition } from './definitions.ts'
import { keyIsRequired } from './require-key.ts'
import type { SchemaState } from './schema-state.ts'
import { ddlRulesOf } from './script.ts'
import { finishStorage } from './storage.ts'

const NESTED = /^Nested\((.+)\)$/s

/**
 * Returns the columns that ClickHouse stores for a column of the type `Nested(a T, b U)`: the arrays `name.a`
 * and `name.b`. https://clickhouse.com/docs/sql-reference/data-types/nested-data-structures/nested
 */
function flattenNested(
  column: ColumnDefinition,
  dialect: DialectName | undefined,
): readonly ColumnDefinition[] {
  const [, inside] = NESTED.exec(column.type ?? '') ?? []
  if (inside === undefined || !ddlRulesOf(dialect).typesSayNull) return [column]
  return new Cursor(readTokens(inside, dialect)).splitByComma().map((part) => {
    const name = part.next()?.text ?? ''
    const tokens = part.rest()
    const type = inside.slice(tokens[0]?.start, tokens.at(-1)?.end)
    return { ...column, name: `${column.name}.${name}`, type: `Array(${type})` }
  })
}

/** The text that Hive prints for a column without a comment. */
const NO_COMMENT = 'from deserializer'

/** Returns the tables of a script after all its statements. */
export function finishTables(state: SchemaState, dialect: DialectName | undefined): readonly CatalogTable[] {
  const shadows = new Set(state.tables.flatMap((table) => table.shadows ?? []))
  const tables = state.tables.filter(({ name }) => !shadows.has(name.name))
  return tables.map((table) => finishTable(table, state, dialect))
}

function finishTable(
  table: TableDefinition,
  state: SchemaState,
  dialect: DialectName | undefined,
): CatalogTable {
  const constraints = table.constraints.flatMap((constraint) => resolve(constraint, table))
  const primaryKey = keys(constraints, 'primary')[0]
  // two keys over the same columns are listed once
  const uniqueKeys = keys(constraints, 'unique').filter(
    (key, index, all) => !isSame(key, primaryKey) && all.findIndex((other) => isSame(other, key)) === index,
  )
  const foreignKeys = constraints.flatMap((constraint) => toForeignKey(constraint, table, state))
  const required = new Set(primaryKey && keyIsRequired(primaryKey, table, dialect) ? primaryKey : [])
  const { pseudoColumns } = ddlRulesOf(dialect)
  const columns = table.columns
    .filter(({ access, name }) => access !== 'never' && !pseudoColumns?.test(name))
    .flatMap((column) => flattenNested(column, dialect))
    .map((column) => {
      const type = state.types.ofColumn(column, table)
      return toColumn({ column, type, constraints, dialect, isRequired: required.has(column.name) })
    })
  const storage = finishStorage(table.storage ?? {}, table.columns)
  const { database, name, schema } = table.name
  return {
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    name,
    kind: table.kind,
    ...(table.comment && { comment: table.comment }),
    columns,
    ...(primaryKey && { primaryKey }),
    ...(uniqueKeys.length > 0 && { uniqueKeys }),
    ...(foreignKeys.length > 0 && { foreignKeys }),
    ...(storage && { storage }),
  }
}

/** Returns a constraint with the stored names of its columns; none if a column is missing. */
function resolve(constraint: Constraint, { columns }: TableDefinition): readonly Constraint[] {
  if (constraint.kind === 'condition') return []
  if (!('columns' in constraint)) {
    const name = findName(
      constraint.column,
      columns.map((column) => column.name),
    )
    return name === undefined ? [] : [{ ...constraint, column: { text: name, quoted: true } }]
  }
  const names = constraint.columns.flatMap((name) => findColumn(columns, name) ?? [])
  return names.length === constraint.columns.length ? [{ ...constraint, columns: names }] : []
}

function keys(
  constraints: readonly Constraint[],
  kind: 'primary' | 'unique',
): readonly (readonly string[])[] {
  return constraints.flatMap((constraint) => (constraint.kind === kind ? [constraint.columns] : []))
}

function isSame(a: readonly string[], b: readonly string[] | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Converts a foreign key. A reference without columns means the primary key; if there is none, it is dropped. */
function toForeignKey(
  constraint: Constraint,
  table: TableDefinition,
  state: SchemaState,
): readonly ForeignKey[] {
  if (constraint.kind !== 'foreign') return []
  const { references } = constraint
  const wanted = { ...references.table, schema: references.table.schema ?? table.name.schema }
  const target = state.find(wanted) ?? state.find(references.table)
  const primary = target?.constraints.find(({ kind }) => kind === 'primary')
  const named = references.columns ?? (primary && 'columns' in primary ? primary.columns : undefined)
  const columns = named?.map((name) => (target && findColumn(target.columns, name)) ?? name)
  if (columns?.length !== constraint.columns.length) return []
  const { name, schema = wanted.schema } = target?.name ?? references.table
  return [
    {
      columns: constraint.columns,
      references: { table: { ...(schema !== undefined && { schema }), name }, columns },
    },
  ]
}

interface Parts {
  readonly column: ColumnDefinition
  readonly type: TypeDefinition | undefined
  readonly constraints: readonly Constraint[]
  readonly dialect: DialectName | undefined
  readonly isRequired: boolean
}

function toColumn({ column, constraints, dialect, isRequired, type }: Parts): Column {
  const own = constraints.filter(
    (constraint) => 'column' in constraint && constraint.column.text === column.name,
  )
  const isJson = own.some(({ kind }) => kind === 'json') && /^longtext\b/i.test(column.type ?? '')
  const declared = type?.type ?? column.type
  const stored = ddlRulesOf(dialect).storedTypes?.[declared?.toLowerCase() ?? '']
  const text = isJson ? 'json' : (stored ?? declared)
  const lists = own.flatMap((constraint) => (constraint.kind === 'values' ? [constraint.values] : []))
  const values = mergeValues([type?.values, column.values, ...lists])
  const isSerial = column.isRequired !== false && isSerialType(text, dialect)
  const neverNull =
    isRequired || column.isRequired || type?.isRequired || isSerial || holdsNoNull(text, dialect)
  return {
    name: column.name,
    type: text ?? (ddlRulesOf(dialect).anyWordsAreType ? 'any' : 'unknown'),
    ...(neverNull && { nullable: false }),
    ...(column.comment && column.comment !== NO_COMMENT && { comment: column.comment }),
    ...(column.default !== undefined && { default: column.default }),
    ...(values && { values }),
    ...(column.access === 'by name' && { hidden: true }),
  }
}

/** Returns true for a serial type, which implies NOT NULL, unless any words are a type. */
function isSerialType(type: string | undefined, dialect: DialectName | undefined): boolean {
  return /^(?:big|small)?serial[248]?$/i.test(type ?? '') && !ddlRulesOf(dialect).anyWordsAreType
}

/** Returns true for a type of ClickHouse that does not say that it is nullable. */
function holdsNoNull(type: string | undefined, dialect: DialectName | undefined): boolean {
  return (
    ddlRulesOf(dialect).typesSayNull && type !== undefined && !/^(?:LowCardinality\()?Nullable\(/i.test(type)
  )
}

import type { DialectName } from '@stagecraft/spec'
import { findName } from '../find-table.ts'
import { ddlRulesOf } from './script.ts'
import {
  type Action,
  type ColumnDefinition,
  type Constraint,
  GROUP_OF,
  type TableDefinition,
  knownParts,
} from './definitions.ts'
import { requireKey } from './require-key.ts'
import { mapStorage } from './storage.ts'

/** Returns a table after one action of ALTER TABLE. Actions on missing columns change nothing. */
export function applyAction(table: TableDefinition, action: Action, dialect?: DialectName): TableDefinition {
  switch (action.kind) {
    case 'add column':
      return { ...table, columns: insert(table.columns, action.column, action.after) }
    case 'add constraint':
      return { ...table, constraints: [...table.constraints, action.constraint] }
    case 'set comment':
      return { ...table, comment: action.comment }
    case 'set column':
      return moveColumn(changeColumn(table, action, dialect), action.column, action.after)
    case 'drop column':
      return dropColumn(table, action.column, dialect)
    case 'replace columns':
      return replaceColumns(table, action.columns, dialect)
    case 'drop constraint':
      return { ...table, constraints: table.constraints.filter((one) => !matches(one, action)) }
    case 'rename constraint':
      return {
        ...table,
        constraints: table.constraints.map((one) =>
          matches(one, action) ? { ...one, name: action.to } : one,
        ),
      }
    case 'use index':
      return useIndex(table, action)
    case 'rename column':
      return renameColumn(table, action.column, action.to)
    case 'rename table':
      return renameTable(table, { ...table.name, ...knownParts(action.to) }, dialect)
    case 'attach partition':
    default:
      return table // it concerns another table
  }
}

/** Returns the stored spelling of a column name, because scripts may use another case. */
export function findColumn(columns: readonly ColumnDefinition[], name: string): string | undefined {
  return findName(
    { text: name, quoted: false },
    columns.map((column) => column.name),
  )
}

/** Returns the columns of a constraint. */
function columnsOf(constraint: Constraint): readonly string[] {
  if ('columns' in constraint) return constraint.columns
  return 'words' in constraint ? constraint.words : [constraint.column.text]
}

function insert(
  columns: readonly ColumnDefinition[],
  column: ColumnDefinition,
  after: string | undefined,
): readonly ColumnDefinition[] {
  if (columns.some(({ name }) => name === column.name)) return columns // IF NOT EXISTS
  const place = after === undefined ? columns.length : columns.findIndex(({ name }) => name === after) + 1
  return columns.toSpliced(place, 0, column)
}

function changeColumn(
  table: TableDefinition,
  { column: name, dropsChecks, facts }: Extract<Action, { readonly kind: 'set column' }>,
  dialect: DialectName | undefined,
): TableDefinition {
  const found = findColumn(table.columns, name)
  const columns = table.columns.map((column) =>
    column.name === found ? { ...column, ...facts, name: found } : column,
  )
  const isGone = (one: Constraint): boolean =>
    one.isInline === true && 'column' in one && one.column.text.toLowerCase() === found?.toLowerCase()
  const constraints = dropsChecks ? table.constraints.filter((one) => !isGone(one)) : table.constraints
  // a new definition keeps the primary key not null
  return requireKey({ ...table, columns, constraints }, dialect)
}

function moveColumn(table: TableDefinition, name: string, after: string | undefined): TableDefinition {
  const found = findColumn(table.columns, name)
  const column = table.columns.find((one) => one.name === found)
  if (!column || after === undefined) return table
  const others = table.columns.filter((one) => one !== column)
  return { ...table, columns: insert(others, column, after === '' ? '' : findColumn(others, after)) }
}

/** Drops a column with everything that refers to it; MySQL removes it from keys of several columns. */
function dropColumn(table: TableDefinition, name: string, dialect: DialectName | undefined): TableDefinition {
  const found = findColumn(table.columns, name)
  const isIt = (column: string): boolean => column.toLowerCase() === found?.toLowerCase()
  const shrinks = (one: Constraint): boolean =>
    ddlRulesOf(dialect).dropColumnNarrowsKeys &&
    (one.kind === 'primary' || one.kind === 'unique') &&
    one.columns.length > 1
  return {
    ...table,
    columns: table.columns.filter((column) => column.name !== found),
    ...(table.storage && { storage: mapStorage(table.storage, (list) => list.filter((one) => !isIt(one))) }),
    constraints: table.constraints.flatMap((one) => {
      if (!columnsOf(one).some(isIt)) return [one]
      return 'columns' in one && shrinks(one)
        ? [{ ...one, columns: one.columns.filter((column) => !isIt(column)) }]
        : []
    }),
  }
}

/** Replaces all columns but those of partitions, which stay last. */
function replaceColumns(
  table: TableDefinition,
  columns: readonly ColumnDefinition[],
  dialect: DialectName | undefined,
): TableDefinition {
  const partitions = new Set(table.storage?.partitionedBy)
  const names = new Set([...columns.map(({ name }) => name), ...partitions])
  const gone = table.columns.filter(({ name }) => !names.has(name))
  const left = gone.reduce((rest, { name }) => dropColumn(rest, name, dialect), table)
  const kept = left.columns.filter(
    ({ name }) => partitions.has(name) && !columns.some((column) => column.name === name),
  )
  return requireKey({ ...left, columns: [...columns, ...kept] }, dialect)
}

/** Turns a unique index into a key. */
function useIndex(
  table: TableDefinition,
  { as, index, name = index }: Extract<Action, { readonly kind: 'use index' }>,
): TableDefinition {
  const found = table.constraints.find((one) => one.kind === 'unique' && isNamed(one, index))
  if (found?.kind !== 'unique') return table
  const key: Constraint = { kind: as, columns: found.columns, name }
  const columns = table.columns.map((column) =>
    as === 'primary' && found.columns.includes(column.name) ? { ...column, isRequired: true } : column,
  )
  return { ...table, columns, constraints: table.constraints.map((one) => (one === found ? key : one)) }
}

/**
 * Renames a table. Constraints with names that MySQL generated follow the new name.
 * https://dev.mysql.com/doc/refman/8.4/en/rename-table.html
 */
function renameTable(
  table: TableDefinition,
  to: TableDefinition['name'],
  dialect: DialectName | undefined,
): TableDefinition {
  const from = table.name.name
  const renamed = ({ name = '' }: Constraint): string | undefined =>
    ['_ibfk_', '_chk_'].some((middle) => name.startsWith(from + middle))
      ? to.name + name.slice(from.length)
      : undefined
  const constraints =
    ddlRulesOf(dialect).constraintNames === 'mysql'
      ? table.constraints.map((one) => ({ ...one, name: renamed(one) ?? one.name }))
      : table.constraints
  return { ...table, name: to, constraints }
}

function renameColumn(table: TableDefinition, from: string, to: string): TableDefinition {
  const found = findColumn(table.columns, from)
  const rename = (name: string): string => (name.toLowerCase() === found?.toLowerCase() ? to : name)
  return {
    ...table,
    columns: table.columns.map((column) => (column.name === found ? { ...column, name: to } : column)),
    ...(table.storage && { storage: mapStorage(table.storage, (list) => list.map(rename)) }),
    constraints: table.constraints.map((one) => {
      if ('columns' in one) return { ...one, columns: one.columns.map(rename) }
      if ('words' in one) return { ...one, words: one.words.map(rename) }
      return { ...one, column: { ...one.column, text: rename(one.column.text) } }
    }),
  }
}

type Target = Extract<Action, { readonly kind: 'drop constraint' | 'rename constraint' }>

function matches(constraint: Constraint, { group, name }: Target): boolean {
  return isNamed(constraint, name) && (group === undefined || GROUP_OF[constraint.kind] === group)
}

/** Returns true if a constraint has the name; without a name, if it is the primary key. */
function isNamed(constraint: Constraint, name: string | undefined): boolean {
  if (name === undefined) return constraint.kind === 'primary'
  return constraint.name?.toLowerCase() === name.toLowerCase()
}

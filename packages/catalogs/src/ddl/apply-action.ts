import { findName } from '../find-table.ts'
import type { Action, ColumnDefinition, Constraint, TableDefinition } from './definitions.ts'

/** A table after one action of ALTER TABLE. What is said of a column that it does not have changes nothing. */
export function applyAction(table: TableDefinition, action: Action): TableDefinition {
  switch (action.kind) {
    case 'add column':
      return { ...table, columns: insert(table.columns, action.column, action.after) }
    case 'add constraint':
      return { ...table, constraints: [...table.constraints, action.constraint] }
    case 'set comment':
      return { ...table, comment: action.comment }
    case 'set column':
      return moveColumn(changeColumn(table, action.column, action.facts), action.column, action.after)
    case 'drop column':
      return dropColumn(table, action.column)
    case 'drop constraint':
      return { ...table, constraints: table.constraints.filter((one) => !isDropped(one, action.name, table)) }
    case 'rename column':
      return renameColumn(table, action.column, action.to)
    case 'rename table':
      return { ...table, name: { ...table.name, name: action.to.name } }
    case 'attach partition':
    default:
      return table // another table's concern
  }
}

/** The stored spelling of a column's name, of which scripts change the case where the dialect allows it. */
export function findColumn(columns: readonly ColumnDefinition[], name: string): string | undefined {
  return findName(
    { text: name, quoted: false },
    columns.map((column) => column.name),
  )
}

/** The columns that a constraint speaks of. */
function columnsOf(constraint: Constraint): readonly string[] {
  return 'columns' in constraint ? constraint.columns : [constraint.column.text]
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
  name: string,
  facts: Partial<ColumnDefinition>,
): TableDefinition {
  const found = findColumn(table.columns, name)
  const columns = table.columns.map((column) =>
    column.name === found ? { ...column, ...facts, name: found } : column,
  )
  return { ...table, columns }
}

function moveColumn(table: TableDefinition, name: string, after: string | undefined): TableDefinition {
  const found = findColumn(table.columns, name)
  const column = table.columns.find((one) => one.name === found)
  if (!column || after === undefined) return table
  const others = table.columns.filter((one) => one !== column)
  return { ...table, columns: insert(others, column, after === '' ? '' : findColumn(others, after)) }
}

function dropColumn(table: TableDefinition, name: string): TableDefinition {
  const found = findColumn(table.columns, name)
  return {
    ...table,
    columns: table.columns.filter((column) => column.name !== found),
    constraints: table.constraints.filter((one) => !columnsOf(one).some((column) => column === found)),
  }
}

function renameColumn(table: TableDefinition, from: string, to: string): TableDefinition {
  const found = findColumn(table.columns, from)
  const rename = (name: string): string => (name === found ? to : name)
  return {
    ...table,
    columns: table.columns.map((column) => ({ ...column, name: rename(column.name) })),
    constraints: table.constraints.map((one) =>
      'columns' in one
        ? { ...one, columns: one.columns.map(rename) }
        : { ...one, column: { ...one.column, text: rename(one.column.text) } },
    ),
  }
}

/** PostgreSQL gives a constraint without a name one made of table, columns and kind. */
function isDropped(constraint: Constraint, name: string | undefined, table: TableDefinition): boolean {
  if (name === undefined) return constraint.kind === 'primary'
  if (constraint.name !== undefined) return constraint.name === name
  const ending = { primary: 'pkey', unique: 'key', foreign: 'fkey', values: 'check', json: 'check' }[
    constraint.kind
  ]
  const middle = constraint.kind === 'primary' ? [] : columnsOf(constraint)
  return name === [table.name.name, ...middle, ending].join('_')
}

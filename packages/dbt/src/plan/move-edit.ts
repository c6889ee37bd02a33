import { type EditedItem, printIdentifier, printItem, splitOrdinal } from '@stagecraft/core/run'
import type { Dialect } from '@stagecraft/dialects'
import type { Table } from '@stagecraft/spec'
import { applyEdits } from '../merge/edit-list.ts'
import { compareName, fold } from '../merge/output-name.ts'
import { isCode, scanSql, type Token } from '../merge/scan-sql.ts'
import { findRenames, retainColumns, retainObservation } from './table-drift.ts'

type Edit = NonNullable<EditedItem['edit']>
type ColumnEdit = Edit['columns'] extends ReadonlyMap<number, infer One> ? One : never

/** The tables between which an edit moves. */
export interface EditMove {
  /** The table of the edit's ordinals, from 1. */
  readonly from: Table
  /** The table of the new ordinals. */
  readonly to: Table
  /** The former names of renamed columns, by current name. @default none */
  readonly renames?: ReadonlyMap<string, string>
  readonly dialect: Dialect
}

/**
 * Returns an edit for a table whose columns changed: each column keeps its decisions at its new position. Decisions
 * for deleted columns, for columns with a new type, and for expressions that read such columns are dropped.
 */
export function moveEdit(edit: Edit, { dialect, from, renames = new Map(), to }: EditMove): Edit {
  const former = new Map(
    to.columns.map(({ name }, index) => [renames.get(name) ?? name, { name, ordinal: index + 1 }]),
  )
  const isKept = (name: string): boolean => {
    const type = from.columns.find((column) => column.name === name)?.type
    const place = former.get(name)
    return place !== undefined && to.columns[place.ordinal - 1]?.type === type
  }
  const names = new Map(
    from.columns.map(({ name }) => [
      fold(name, dialect),
      isKept(name) ? (former.get(name)?.name ?? name) : undefined,
    ]),
  )
  const columns = [...edit.columns].flatMap(
    ([ordinal, column]): readonly (readonly [number, ColumnEdit])[] => {
      const { own, field } = splitOrdinal(ordinal)
      const name = from.columns[own - 1]?.name
      const place = name !== undefined && isKept(name) ? former.get(name) : undefined
      const moved = place && moveExpression(column, names, dialect)
      return moved ? [[place.ordinal + field, moved]] : []
    },
  )
  return { ...edit, columns: new Map(columns) }
}

/** Makes an expression read columns by current names; undefined if one of them was deleted or changed. */
function moveExpression(
  edit: ColumnEdit,
  names: ReadonlyMap<string, string | undefined>,
  dialect: Dialect,
): ColumnEdit | undefined {
  if (!edit.expression) return edit
  const { sql } = edit.expression
  const code = scanSql(sql, dialect).filter(isCode)
  const read = code.filter(
    (token, index) =>
      isName(token) && code[index + 1]?.text !== '(' && names.has(compareName(token, dialect)),
  )
  const moved = read.map((token) => ({ token, name: names.get(compareName(token, dialect)) }))
  if (moved.some(({ name }) => name === undefined)) return undefined
  const edits = moved.flatMap(({ name = '', token }) =>
    fold(name, dialect) === compareName(token, dialect)
      ? []
      : [{ start: token.start, end: token.end, text: printIdentifier(name, dialect) }],
  )
  return edits.length === 0
    ? edit
    : { ...edit, expression: { ...edit.expression, sql: applyEdits(sql, edits) } }
}

function isName({ kind }: Token): boolean {
  return kind === 'word' || kind === 'name'
}

/** The table of an item, now and in the lock. */
export interface EditCarrying {
  /** The item of the lock; undefined for a new table. */
  readonly before: EditedItem | undefined
  /** The table to plan, including parts kept from the lock. */
  readonly table: Table
  readonly dialect: Dialect
}

/**
 * Returns an item for the planned table with its own edit, else that of the lock. Columns that only the lock has
 * always keep theirs.
 */
export function carryEdit(item: EditedItem, { before, dialect, table }: EditCarrying): EditedItem {
  const own = item.edit && moveEdit(item.edit, { from: item.table, to: table, dialect })
  if (!before?.edit) return { ...item, table, ...(own && { edit: own }) }
  const renames = findRenames(before.table, item.table)
  const known = moveEdit(before.edit, { from: before.table, to: table, renames, dialect })
  if (!own) {
    const notes = item.notes ?? before.notes
    return { ...item, table, edit: known, ...(notes && { notes: notes.filter(isAbout(table)) }) }
  }
  const now = new Set(item.table.columns.map(({ name }) => name))
  const nameOf = (ordinal: number): string => table.columns[splitOrdinal(ordinal).own - 1]?.name ?? ''
  const retained = [...known.columns].filter(([ordinal]) => !now.has(nameOf(ordinal)))
  return { ...item, table, edit: { ...own, columns: new Map([...own.columns, ...retained]) } }
}

/**
 * Returns an item with the decisions of its last plan; undefined if there were none, or if the table changed apart
 * from kept columns and observations.
 */
export function decidedBefore(
  item: EditedItem,
  before: EditedItem | undefined,
  dialect: Dialect,
): EditedItem | undefined {
  if (!before?.edit) return undefined
  const { edit, notes, table: then } = before
  const table = retainColumns(then, retainObservation(then, item.table))
  const isSame = printItem({ ...item, table, edit, notes }) === printItem(before)
  return isSame ? carryEdit(item, { before, table: item.table, dialect }) : undefined
}

/** Notes on deleted columns are dropped. */
function isAbout({ columns }: Table): (note: { readonly column?: string | undefined }) => boolean {
  const names = new Set(columns.map(({ name }) => name))
  return ({ column }) => column === undefined || names.has(column)
}

import type { ColumnDefinition, Constraint } from './definitions.ts'

/** Columns that are taken over come first; what is said about one again goes before what was said there. */
export function mergeColumns(
  taken: readonly ColumnDefinition[],
  own: readonly ColumnDefinition[],
): readonly ColumnDefinition[] {
  const again = new Map(own.map((column) => [column.name, column]))
  const isTaken = new Set(taken.map(({ name }) => name))
  return [
    ...taken.map((column) => ({ ...column, ...onlyKnown(again.get(column.name) ?? {}) })),
    ...own.filter(({ name }) => !isTaken.has(name)),
  ]
}

/** Tells whether a constraint comes with the columns that a table inherits. */
export function isCheck({ kind }: Constraint): boolean {
  return kind === 'values' || kind === 'json'
}

/** An object without the members that are undefined. */
export function onlyKnown<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Partial<Value>
}

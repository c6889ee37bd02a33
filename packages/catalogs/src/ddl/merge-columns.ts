import type { ColumnDefinition } from './definitions.ts'

/** Copied columns come first; repeated definitions override the copied ones. */
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

/** Columns of a list alone come first, then those of the query beside it, of which the list may say more. */
export function columnsBeside(
  named: readonly ColumnDefinition[],
  listed: readonly ColumnDefinition[],
): readonly ColumnDefinition[] {
  const lower = ({ name }: ColumnDefinition): string => name.toLowerCase()
  const names = new Set(named.map(lower))
  const said = new Map(listed.map((column) => [lower(column), column]))
  return [
    ...listed.filter((column) => !names.has(lower(column))),
    ...named.map((column) => ({ ...column, ...onlyKnown(said.get(lower(column)) ?? {}) })),
  ]
}

/** An object without the members that are undefined. */
export function onlyKnown<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Partial<Value>
}

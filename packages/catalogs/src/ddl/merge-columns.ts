import type { ColumnDefinition } from './definitions.ts'

/** Merges columns. Copied columns come first, and repeated definitions override them. */
export function mergeColumns(
  copied: readonly ColumnDefinition[],
  own: readonly ColumnDefinition[],
): readonly ColumnDefinition[] {
  const repeated = new Map(own.map((column) => [column.name, column]))
  const isCopied = new Set(copied.map(({ name }) => name))
  return [
    ...copied.map((column) => ({ ...column, ...onlyKnown(repeated.get(column.name) ?? {}) })),
    ...own.filter(({ name }) => !isCopied.has(name)),
  ]
}

/**
 * Merges the columns of a list and of the query after it. Columns that are only in the list come first. The
 * list may add facts to those of the query.
 */
export function columnsBeside(
  named: readonly ColumnDefinition[],
  listed: readonly ColumnDefinition[],
): readonly ColumnDefinition[] {
  const lower = ({ name }: ColumnDefinition): string => name.toLowerCase()
  const names = new Set(named.map(lower))
  const stated = new Map(listed.map((column) => [lower(column), column]))
  return [
    ...listed.filter((column) => !names.has(lower(column))),
    ...named.map((column) => ({ ...column, ...onlyKnown(stated.get(lower(column)) ?? {}) })),
  ]
}

/** Returns an object without its undefined members. */
export function onlyKnown<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Partial<Value>
}

import type { ColumnValue } from '@stagecraft/spec'

/** Merges lists of a column's values from several sources: keeps the values that are in every list. */
export function mergeValues(
  lists: readonly (readonly ColumnValue[] | null | undefined)[],
): readonly ColumnValue[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== null && list !== undefined)
  const common = first?.filter((value) => others.every((list) => list.includes(value)))
  return common?.length ? common : undefined
}

import type { ColumnValue } from '@stagecraft/spec'

/** What a column may hold when several sources list its values: what stands in every list. */
export function mergeValues(
  lists: readonly (readonly ColumnValue[] | null | undefined)[],
): readonly ColumnValue[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== null && list !== undefined)
  const common = first?.filter((value) => others.every((list) => list.includes(value)))
  return common?.length ? common : undefined
}

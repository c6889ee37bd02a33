import type { SqlSyntax } from './scan-sql.ts'
import { findSelectLists, type SelectList } from './select-list.ts'

/**
 * Returns the list with the columns of a model: the only one with names, else the one in the same common table
 * expression as in the other text, else that of `renamed`.
 */
export function findMainList(text: string, syntax: SqlSyntax, cte?: string): SelectList | undefined {
  const lists = findSelectLists(text, syntax).filter(({ items }) =>
    items.some(({ name }) => name !== undefined),
  )
  if (lists.length === 1) return lists[0]
  for (const name of [cte, 'renamed']) {
    const [found, ...others] = lists.filter((list) => name !== undefined && list.cte === name)
    if (found && others.length === 0) return found
  }
  return undefined
}

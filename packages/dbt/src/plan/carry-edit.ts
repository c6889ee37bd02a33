import type { EditedItem } from '@stagecraft/core/run'

/** Returns the item with what a language model decided for the table before, column by column, unless it has its own. */
export function carryEdit(item: EditedItem, before: EditedItem | undefined): EditedItem {
  if (item.edit || !before?.edit) return item
  const { columns, description } = before.edit
  const places = new Map(item.table.columns.map(({ name }, index) => [name, index]))
  const carried = [...columns].flatMap(([index, edit]) => {
    const column = before.table.columns[index]
    const place = column && places.get(column.name)
    const isSame = place !== undefined && item.table.columns[place]?.type === column?.type
    return isSame ? [[place, edit] as const] : []
  })
  return { ...item, edit: { description, columns: new Map(carried) } }
}

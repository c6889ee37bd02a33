import type { EditedItem } from '../run/run-item.ts'
import type { CheckedColumnEdit } from '../plan/checked-edit.ts'

interface ItemText extends Omit<EditedItem, 'edit'> {
  readonly edit?: {
    readonly description: string | null
    readonly columns: readonly (readonly [number, CheckedColumnEdit])[]
  }
}

/** Serializes the input of a table's generation as text, so that it can be printed again beside others. */
export function printItem({ edit, notes, request, table }: EditedItem): string {
  const text: ItemText = {
    request,
    table,
    ...(edit && { edit: { description: edit.description, columns: [...edit.columns] } }),
    ...(notes && { notes }),
  }
  return JSON.stringify(text)
}

/** Reads what `printItem` wrote, and nothing else: edits are not checked again. */
export function parseItem(text: string): EditedItem {
  const { edit, ...item } = JSON.parse(text) as ItemText
  return edit ? { ...item, edit: { ...edit, columns: new Map(edit.columns.map(withTypedExpression)) } } : item
}

/** Expressions were once kept without their types, and cannot be planned so: the rules decide until the next generation. */
function withTypedExpression([ordinal, column]: readonly [number, CheckedColumnEdit]): readonly [
  number,
  CheckedColumnEdit,
] {
  return [ordinal, typeof column.expression === 'string' ? { ...column, expression: undefined } : column]
}

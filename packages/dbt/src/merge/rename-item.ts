import type { ListStyle } from './list-style.ts'
import { aliased } from './output-name.ts'
import { isCode } from './scan-sql.ts'
import type { SelectItem } from './select-list.ts'

/** Returns the alias of an item as it is spelled; without one, its last word. */
export function spelledAlias({ tokens }: SelectItem): string {
  return tokens.findLast(isCode)?.text ?? ''
}

/** Returns the text of an item under another alias. */
export function renameItem(item: SelectItem, alias: string, as: ListStyle['as'] = 'as'): string {
  const code = item.tokens.filter(isCode)
  const last = code.at(-1)
  const word = as === '' ? ' ' : ` ${as} `
  if (item.name === undefined || !last || !aliased(code)) return `${item.text}${word}${alias}`
  const [start, end] = [last.start - item.start, last.end - item.start]
  return item.text.slice(0, start) + alias + item.text.slice(end)
}

import { applyEdits, type TextEdit } from './edit-list.ts'
import { readStyle } from './list-style.ts'
import { aliased, compareName } from './output-name.ts'
import { isCode, type SqlSyntax, type Token } from './scan-sql.ts'
import { findMainList } from './main-list.ts'
import type { SelectItem } from './select-list.ts'

export interface RenamedReads {
  /** New names of raw columns as SQL, by former name. */
  readonly columns: ReadonlyMap<string, string>
  /** Columns that were selected under the former name keep it: `amount_usd as amount`. */
  readonly keepsNames: boolean
  /** New names of selected columns, by their former ones as names are compared. @default they keep their names */
  readonly names?: ReadonlyMap<string, string>
  readonly syntax: SqlSyntax
}

/**
 * Makes the main select of a model read raw columns by their new names. A text whose list cannot be found is
 * unchanged.
 */
export function renameReads(text: string, renaming: RenamedReads): string {
  const list = renaming.columns.size > 0 ? findMainList(text, renaming.syntax) : undefined
  if (!list) return text
  const { as } = readStyle(text, list)
  const items = list.items.flatMap((item) => renameItem(item, as, renaming))
  const rest = list.rest.flatMap((token, index) => renameToken(token, list.rest[index + 1], renaming))
  return applyEdits(text, [...items, ...rest])
}

function renameItem(item: SelectItem, as: string, renaming: RenamedReads): readonly TextEdit[] {
  const code = item.tokens.filter(isCode)
  const alias = aliased(code) && item.name !== undefined ? code.at(-1) : undefined
  const names = { syntax: renaming.syntax, columns: renaming.names ?? new Map<string, string>() }
  const edits = code.flatMap((token, index) =>
    renameToken(token, code[index + 1], token === alias ? names : renaming),
  )
  const last = code.at(-1)
  const isNamed = alias !== undefined || item.name === undefined || last === undefined
  if (edits.length === 0 || isNamed || !renaming.keepsNames) return edits
  const word = as === '' ? ' ' : ` ${as} `
  return edits.map((edit) =>
    edit.end === last.end ? { ...edit, text: `${edit.text}${word}${last.text}` } : edit,
  )
}

function renameToken(
  token: Token,
  next: Token | undefined,
  { columns, syntax }: Pick<RenamedReads, 'columns' | 'syntax'>,
): readonly TextEdit[] {
  const isName = token.kind === 'word' || token.kind === 'name'
  const name =
    isName && next?.text !== '(' && next?.text !== '.' ? columns.get(compareName(token, syntax)) : undefined
  return name === undefined ? [] : [{ start: token.start, end: token.end, text: name }]
}

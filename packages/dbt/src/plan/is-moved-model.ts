import { hashText } from '../lock/hashes.ts'
import type { LockedTable } from '../lock/lock.ts'
import { compareName, fold } from '../merge/output-name.ts'
import { isCode, scanSql, type SqlSyntax } from '../merge/scan-sql.ts'
import { isWord } from '../merge/select-list.ts'

/**
 * Returns true if a text is a generated model under another path and name: unchanged, or with most of the columns of
 * its table and a row for each of theirs.
 */
export function isMovedModel(
  text: string | undefined,
  { item, model }: Pick<LockedTable, 'item' | 'model'>,
  syntax: SqlSyntax,
): boolean {
  if (text === undefined) return false
  if (hashText(text) === model.sha256) return true
  const code = scanSql(text, syntax).filter(isCode)
  if (code.some((token) => isWord(token, 'group'))) return false
  const names = new Set(code.map((token) => compareName(token, syntax)))
  const { columns } = item.table
  return columns.filter(({ name }) => names.has(fold(name, syntax))).length * 2 > columns.length
}

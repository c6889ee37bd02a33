import type { Cursor } from '../sql/cursor.ts'
import type { Change, ColumnDefinition } from './definitions.ts'
import { readName, takeName, unreadable } from './names.ts'
import type { Script } from './script.ts'

/** The reading of a virtual table's arguments by a module of SQLite. */
interface Module {
  readonly pattern: RegExp
  /** Returns the type of the column in that place. Default: it has none. */
  readonly typeOf?: (place: number) => string
  /** Endings of the tables that it keeps its data in. https://www.sqlite.org/vtab.html#the_xshadowname_method */
  readonly shadows: readonly string[]
}

const MODULES: readonly Module[] = [
  { pattern: /^fts5$/i, shadows: ['config', 'content', 'data', 'docsize', 'idx'] },
  { pattern: /^fts[34]$/i, shadows: ['content', 'docsize', 'segdir', 'segments', 'stat'] },
  {
    pattern: /^rtree$/i,
    typeOf: (place) => (place === 0 ? 'INT' : 'REAL'),
    shadows: ['node', 'parent', 'rowid'],
  },
  { pattern: /^rtree_i32$/i, typeOf: () => 'INT', shadows: ['node', 'parent', 'rowid'] },
]

/**
 * Reads SQLite's CREATE VIRTUAL TABLE from the name on. The arguments are columns and `option=value`; what else is said
 * of a column, a type too, counts for nothing.
 *
 * @throws {UnreadableSql} For a module whose columns the statement does not tell.
 */
export function readCreateVirtualTable(cursor: Cursor, script: Script): Change {
  const keeps = cursor.skip('IF', 'NOT', 'EXISTS')
  const name = readName(cursor, script)
  cursor.skip('USING')
  const token = cursor.take('word', 'name')
  const used = MODULES.find(({ pattern }) => pattern.test(token?.text ?? ''))
  const columns = used && (cursor.takeGroup()?.splitByComma() ?? []).flatMap(readColumn(used, script))
  if (!used || !columns || columns.length === 0)
    throw unreadable(token, `the columns of ${name.name}, which the statement does not tell`)
  const shadows = used.shadows.map((ending) => `${name.name}_${ending}`)
  const table = { name, kind: 'table' as const, columns, constraints: [], comment: undefined, shadows }
  return { kind: 'create table', table, existing: keeps ? 'keep' : 'refuse', copies: [] }
}

/** Columns of an R-tree that are not coordinates begin with a plus. */
function readColumn(
  { typeOf }: Module,
  script: Script,
): (part: Cursor, place: number) => readonly ColumnDefinition[] {
  return (part, place) => {
    if (part.atSymbol('=', 1)) return []
    const isOther = part.skipSymbol('+')
    const name = takeName(part, script)
    return name === undefined ? [] : [{ name, type: isOther ? undefined : typeOf?.(place) }]
  }
}

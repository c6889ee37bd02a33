import type { Cursor } from '../sql/cursor.ts'
import { readColumn } from './columns.ts'
import type { ColumnDefinition, QualifiedName } from './definitions.ts'
import { readName } from './names.ts'
import { readDescription, readText } from './text.ts'
import type { Script } from './script.ts'

/** What stands behind the columns of a CREATE TABLE. */
export interface TableOptions {
  readonly comment: string | undefined
  /** Columns to partition by that have types of their own. */
  readonly columns: readonly ColumnDefinition[]
  /** Tables whose columns are taken over: LIKE, CLONE, INHERITS. */
  readonly copies: readonly QualifiedName[]
  /** It is filled from a query, which may name the columns too. */
  readonly isQuery: boolean
  readonly hasLoosePrimaryKey: boolean
}

type Read = (cursor: Cursor, script: Script) => Partial<TableOptions>

const columns: Read = (cursor, script) => ({ columns: readPartitionColumns(cursor.takeGroup(), script) })
const copy: Read = (cursor, script) => ({ copies: [readName(cursor, script)] })

/** The options that matter; all others are skipped, their brackets with them. */
const OPTIONS: readonly (readonly [words: string, read: Read])[] = [
  ['COMMENT', (cursor) => ({ comment: readText(cursor) })],
  ['OPTIONS', (cursor) => ({ comment: readDescription(cursor) })],
  ['PARTITIONED BY', columns],
  ['WITH PARTITION COLUMNS', columns],
  ['LIKE', copy],
  ['CLONE', copy],
  ['SHALLOW CLONE', copy],
  ['DEEP CLONE', copy],
  ['INHERITS', (cursor, script) => ({ copies: readNames(cursor.takeGroup(), script) })],
  ['ENGINE', (cursor) => ({ hasLoosePrimaryKey: isMergeTree(cursor) })],
]

/** Reads the rest of a CREATE TABLE. */
export function readTableOptions(cursor: Cursor, script: Script): TableOptions {
  const found = { comment: undefined, columns: [], copies: [], isQuery: false, hasLoosePrimaryKey: false }
  while (!cursor.done) {
    const option = OPTIONS.find(([words]) => cursor.at(...words.split(' ')))
    const isQuery = cursor.skip('AS') && (cursor.atSymbol('(') || cursor.at('SELECT') || cursor.at('WITH'))
    if (isQuery) return { ...found, isQuery }
    if (option) {
      const [words, read] = option
      cursor.skip(...words.split(' '))
      Object.assign(found, read(cursor, script))
    } else if (!cursor.takeGroup()) {
      cursor.next()
    }
  }
  return found
}

function readNames(group: Cursor | undefined, script: Script): readonly QualifiedName[] {
  return (group?.splitByComma() ?? []).map((name) => readName(name, script))
}

/** A name alone, and a function of a column (Iceberg's `day(at)`), partition by columns that are known already. */
function readPartitionColumns(group: Cursor | undefined, script: Script): readonly ColumnDefinition[] {
  const parts = (group?.splitByComma() ?? []).filter((part) => part.peek(1) && !part.atSymbol('(', 1))
  return parts.map((part) => readColumn(part, script).column)
}

/** ClickHouse's MergeTree engines sort by the primary key and do not keep it unique. */
function isMergeTree(cursor: Cursor): boolean {
  cursor.skipSymbol('=')
  return /MergeTree$/i.test(cursor.peek()?.text ?? '')
}

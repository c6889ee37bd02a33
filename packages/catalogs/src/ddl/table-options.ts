import type { TableStorage } from '@stagecraft/spec'
import { type Cursor, isWord } from '../sql/cursor.ts'
import { readColumn } from './columns.ts'
import { readCopy, readInherited } from './copy.ts'
import type { ColumnDefinition, Copy, Query } from './definitions.ts'
import { readDescription, readText } from './expressions.ts'
import { readQuery } from './query/read-query.ts'
import { type Script, ddlRulesOf, skipUnreadable } from './script.ts'
import { readProperties, readStorageList } from './storage.ts'

/** The options after the columns of a CREATE TABLE. */
export interface TableOptions {
  readonly comment: string | undefined
  /** Partition columns with their own types. */
  readonly columns: readonly ColumnDefinition[]
  /** Tables whose columns are copied: LIKE, CLONE, INHERITS. */
  readonly copies: readonly Copy[]
  /** The query that fills it, which may also name the columns. */
  readonly query: Query | undefined
  readonly hasLoosePrimaryKey: boolean
  /** SQLite: true if the primary key is NOT NULL, which is not the default. */
  readonly hasRequiredKey?: boolean
  /** The storage of rows. */
  readonly storage: TableStorage
}

type Read = (cursor: Cursor, script: Script) => Partial<TableOptions>

const columns: Read = (cursor, script) => ({
  storage: { partitionedBy: readStorageList(cursor.copy(), script) },
  columns: readPartitionColumns(cursor.takeGroup(), script),
})
const storedBy =
  (member: keyof TableStorage): Read =>
  (cursor, script) => ({ storage: { [member]: readStorageList(cursor, script) } })
const copy: Read = (cursor, script) => ({ copies: [readCopy(cursor, script)] })

/** The options that matter; all others are skipped with their brackets. */
const OPTIONS: readonly (readonly [words: string, read: Read])[] = [
  ['COMMENT', (cursor) => ({ comment: readText(cursor) })],
  ['OPTIONS', (cursor) => ({ comment: readDescription(cursor) })],
  ['PARTITIONED BY', columns],
  ['WITH PARTITION COLUMNS', columns],
  ['WITH', (cursor) => ({ storage: readProperties(cursor) })],
  ['PARTITION BY', storedBy('partitionedBy')],
  ['CLUSTER BY', storedBy('clusteredBy')],
  ['CLUSTERED BY', storedBy('clusteredBy')],
  ['SORTED BY', storedBy('sortedBy')],
  ['ORDER BY', storedBy('sortedBy')],
  ['SORTKEY', storedBy('sortedBy')],
  ['DISTKEY', storedBy('distributedBy')],
  ['LIKE', copy],
  ['CLONE AS', copy],
  ['CLONE', copy],
  ['COPY', copy],
  ['SHALLOW CLONE', copy],
  ['DEEP CLONE', copy],
  ['INHERITS', (cursor, script) => ({ copies: readInherited(cursor, script) })],
  ['WITHOUT ROWID', () => ({ hasRequiredKey: true })],
  ['STRICT', () => ({ hasRequiredKey: true })],
  ['ENGINE', (cursor) => ({ hasLoosePrimaryKey: isMergeTree(cursor) })],
]

type Found = { -readonly [Key in keyof TableOptions]: TableOptions[Key] }

const NO_OPTIONS: TableOptions = {
  comment: undefined,
  columns: [],
  copies: [],
  query: undefined,
  hasLoosePrimaryKey: false,
  storage: {},
}

/** Reads the rest of a CREATE TABLE. */
export function readTableOptions(cursor: Cursor, script: Script): TableOptions {
  const found: Found = { ...NO_OPTIONS }
  while (!cursor.done) {
    const option = OPTIONS.find(([words]) => cursor.at(...words.split(' ')))
    const isBehindAs = cursor.skip('AS')
    const isQuery =
      isBehindAs && (cursor.atSymbol('(') || cursor.at('FROM') || cursor.at('TABLE') || atQuery(cursor))
    if (isQuery || atQuery(cursor)) return { ...found, query: readQuery(cursor, script) }
    if (isBehindAs && isTableNext(cursor, script)) Object.assign(found, copy(cursor, script))
    else if (cursor.skip('COPY', 'GRANTS')) continue
    else if (option) {
      const [words, read] = option
      cursor.skip(...words.split(' '))
      const { storage, ...others } = skipUnreadable(script, () => read(cursor, script)) ?? {}
      Object.assign(found, others, { storage: { ...found.storage, ...storage } })
    } else if (!skipGroup(cursor, script)) {
      cursor.next()
    }
  }
  return found
}

/** Returns true for a table: ClickHouse's `AS other_table`, but not the function in `AS numbers(9)`. */
function isTableNext(cursor: Cursor, { dialect }: Script): boolean {
  const isName = cursor.peek()?.kind === 'name' || cursor.peek()?.kind === 'word'
  const ahead = cursor.copy()
  while (ahead.next() && ahead.skipSymbol('.')) continue
  return ddlRulesOf(dialect).copiesByAs && isName && !ahead.atSymbol('(')
}

/** Returns true if a query comes next. MySQL needs no AS before it. */
function atQuery(cursor: Cursor): boolean {
  return cursor.at('SELECT') || (cursor.at('WITH') && isWord(cursor.peek(2), 'AS'))
}

function skipGroup(cursor: Cursor, script: Script): boolean {
  return skipUnreadable(script, () => cursor.takeGroup()) !== undefined
}

/**
 * Reads partition columns with types. A name alone, or a function of a column (Iceberg's `day(at)`), refers
 * to a known column.
 */
function readPartitionColumns(group: Cursor | undefined, script: Script): readonly ColumnDefinition[] {
  const parts = (group?.splitByComma() ?? []).filter((part) => part.peek(1) && !part.atSymbol('(', 1))
  return parts.map((part) => readColumn(part, script).column)
}

/** Returns true for the MergeTree engines of ClickHouse, which sort by the primary key, but do not enforce it. */
function isMergeTree(cursor: Cursor): boolean {
  cursor.skipSymbol('=')
  return /MergeTree$/i.test(cursor.peek()?.text ?? '')
}

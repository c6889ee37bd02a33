import type { TableStorage } from '@stagecraft/spec'
import { spellColumn, toStorage } from '../warehouse/storage.ts'
import { type Cursor, isWord, type Token } from '../sql/cursor.ts'
import type { ColumnDefinition } from './definitions.ts'
import type { Script } from './script.ts'

/** Words before a list that state how to partition or sort. */
const WAYS = ['COLUMNS', 'HASH', 'KEY', 'LINEAR', 'LIST', 'RANGE', 'TUPLE']

/** Reads the list after PARTITION BY, CLUSTER BY, ORDER BY and the like, with or without brackets. */
export function readStorageList(cursor: Cursor, script: Script): readonly string[] {
  const isWay = (): boolean =>
    isWord(cursor.peek(), ...WAYS) && (cursor.atSymbol('(', 1) || isWord(cursor.peek(1), ...WAYS))
  while (isWay()) cursor.next()
  const group = cursor.takeGroup()
  if (group) return group.splitByComma().flatMap((item) => readItem(item, script))
  const list: string[] = []
  do list.push(...readItem(takeBare(cursor), script))
  while (cursor.skipSymbol(','))
  return list
}

/** Reads a column, which may have a type, or an expression; empty for nothing. */
function readItem(item: Cursor, { sql }: Script): readonly string[] {
  const [first, second] = item.rest()
  if (!first) return []
  const isColumn = second === undefined || second.kind === 'word' || second.kind === 'name'
  if (isColumn && (first.kind === 'word' || first.kind === 'name')) return [first.text]
  const end = item.rest().findLast((token) => !isWord(token, 'ASC', 'DESC'))?.end
  return [sql.slice(first.start, end).replace(/\s+/g, ' ')]
}

/** Takes an expression without brackets. It ends before a word that no operator joins to it. */
function takeBare(cursor: Cursor): Cursor {
  const ahead = cursor.copy()
  let count = 0
  let before: Token | undefined
  for (let token = ahead.peek(); token && !isComma(token); token = ahead.peek()) {
    const isApart = before !== undefined && (before.kind !== 'symbol' || before.text === ')')
    if (isApart && token.kind !== 'symbol') break
    if (ahead.atSymbol('(')) ahead.takeGroup()
    else ahead.next()
    count = ahead.position - cursor.position
    before = cursor.peek(count - 1)
  }
  const bare = cursor.first(count)
  for (let at = 0; at < count; at++) cursor.next()
  return bare
}

function isComma(token: Token): boolean {
  return token.kind === 'symbol' && token.text === ','
}

/** Properties of the Hive and Iceberg connectors of Trino, and of Athena. */
const PROPERTIES: Readonly<Record<string, keyof TableStorage>> = {
  partitioned_by: 'partitionedBy',
  partitioning: 'partitionedBy',
  bucketed_by: 'clusteredBy',
  sorted_by: 'sortedBy',
}

/** Reads `(format = 'ORC', partitioned_by = ARRAY['day'])`, which follows WITH. */
export function readProperties(cursor: Cursor): TableStorage {
  const found = (cursor.takeGroup()?.splitByComma() ?? []).flatMap((property) => {
    const [name, ...rest] = property.rest()
    const member = Object.entries(PROPERTIES).find(([key]) => key === name?.text.toLowerCase())?.[1]
    return member ? [[member, rest.flatMap(({ kind, text }) => (kind === 'text' ? text : []))] as const] : []
  })
  return Object.fromEntries(found)
}

/** Applies a change to each list. */
export function mapStorage(
  lists: TableStorage,
  change: (list: readonly string[]) => readonly string[],
): TableStorage {
  return Object.fromEntries(Object.entries(lists).map(([member, list]) => [member, change(list ?? [])]))
}

/** Words in place of a list, which leave the choice to the warehouse. */
const CHOSEN = /^(?:auto|none)$/i

/** Returns the storage of a table with known columns; Redshift may state it on a column. */
export function finishStorage(
  lists: TableStorage,
  columns: readonly ColumnDefinition[],
): TableStorage | undefined {
  const names = columns.map(({ name }) => name)
  const marked = (key: 'distribution' | 'sort'): readonly string[] =>
    columns.flatMap(({ name, storageKey }) => (storageKey === key ? [name] : []))
  const all: TableStorage = {
    ...lists,
    sortedBy: lists.sortedBy ?? marked('sort'),
    distributedBy: lists.distributedBy ?? marked('distribution'),
  }
  const members = ['partitionedBy', 'clusteredBy', 'sortedBy', 'distributedBy'] as const
  return toStorage(
    Object.fromEntries(
      members.map((member) => [
        member,
        (all[member] ?? [])
          .map((text) => spellColumn(text, names))
          .filter((text) => names.includes(text) || !CHOSEN.test(text)),
      ]),
    ),
  )
}

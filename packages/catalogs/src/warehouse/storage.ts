import type { DialectName, TableStorage } from '@stagecraft/spec'
import { Cursor } from '../sql/cursor.ts'
import { readTokens } from '../sql/tokenizer.ts'

/** The members of a storage, each with the header of its list, and the header of positions in the list. */
const MEMBERS = [
  ['partitionedBy', 'partition_key', 'partition_position'],
  ['clusteredBy', 'cluster_key', 'cluster_position'],
  ['sortedBy', 'sort_key', 'sort_position'],
  ['distributedBy', 'dist_key', 'dist_position'],
] as const

/** The headers of lists, in rows of tables. */
export const STORAGE_KEYS = MEMBERS.map(([, key]) => key)

/** The headers of positions in such a list, in rows of columns. */
export const STORAGE_POSITIONS = MEMBERS.map(([, , position]) => position)

/** Returns a cell by its header. */
type Cells = (header: string) => string | undefined

/**
 * Reads the storage of a table from its row and the rows of its columns; undefined if they contain nothing
 * about it.
 */
export function storageOf(table: Cells | undefined, columns: readonly Cells[]): TableStorage | undefined {
  const lists = MEMBERS.map(([member, key, position]) => {
    const listed = readStorageList(table?.(key) ?? '')
    return [member, listed.length > 0 ? spelled(listed, columns) : placed(columns, position)] as const
  })
  return toStorage(Object.fromEntries(lists))
}

/** Returns the lists that are not empty; undefined if there are none. */
export function toStorage(lists: TableStorage): TableStorage | undefined {
  const known = Object.entries(lists).filter(([, list]) => list !== undefined && list.length > 0)
  return known.length > 0 ? (Object.fromEntries(known) as TableStorage) : undefined
}

/** Replaces columns with their stored names; expressions do not change. */
function spelled(list: readonly string[], columns: readonly Cells[]): readonly string[] {
  const names = columns.flatMap((cells) => cells('column_name') ?? [])
  return list.map((text) => spellColumn(text, names))
}

/** Returns the stored name of a column in any case; other text does not change. */
export function spellColumn(text: string, names: readonly string[]): string {
  if (names.includes(text)) return text
  return names.find((name) => name.toLowerCase() === text.toLowerCase()) ?? text
}

function placed(columns: readonly Cells[], header: string): readonly string[] {
  return columns
    .flatMap((cells) => {
      const place = cells(header)
      const name = cells('column_name')
      return place === undefined || name === undefined || IS_NOT.test(place) ? [] : [{ name, place }]
    })
    .toSorted((a, b) => Number(a.place) - Number(b.place) || 0)
    .map(({ name }) => name)
}

const IS_NOT = /^(?:no|n|false|f)$/i

/** Matches the words before a list: https://docs.snowflake.com/en/user-guide/tables-clustering-keys */
const WRAPPED = /^(?:tuple|linear|interleaved|range(?: columns)?|list(?: columns)?|hash|key)?\s*(?=\()/i

/** Reads a list of columns and expressions as warehouses print it: `LINEAR(a, b)`, `(toYYYYMM(at), "Kind")`, `RANGE (at)`. */
export function readStorageList(text: string, dialect?: DialectName): readonly string[] {
  const bare = text.trim().replace(WRAPPED, '')
  const cursor = new Cursor(readTokens(bare, dialect))
  const group = cursor.atSymbol('(') ? cursor.copy() : undefined
  const inside = group?.takeGroup()
  const items = inside && group?.done ? inside : cursor
  return items.splitByComma().flatMap((item) => {
    const [first, ...rest] = item.rest()
    if (!first) return []
    return rest.length === 0 ? first.text : bare.slice(first.start, rest.at(-1)?.end)
  })
}

import type { CatalogTable, SourceName, TableSelector } from '@stagecraft/spec'
import { type Miss, ambiguousSource, findName, missingSource, printName, wholeSchema } from '../find-table.ts'

/**
 * A table, or a reference to it, under one of its names. A level that the list omits matches any request.
 */
export interface Listed<Table = CatalogTable> {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly name: string
  readonly table: Table
}

export interface Lists<Table = CatalogTable> {
  readonly own: readonly Listed<Table>[]
  /** Tried if the own name of a table does not match. */
  readonly aliases: readonly Listed<Table>[]
  /** The origin of the lists, for messages. */
  readonly origin: string
}

const LEVELS = ['database', 'schema'] as const

type Place = Omit<TableSelector, 'tables'>

/**
 * Finds the table for a source name.
 *
 * @throws {StagecraftError} INVALID_SOURCE if there is none, or the name matches several.
 */
export function findListed<Table>(source: SourceName, lists: Lists<Table>): Table {
  const found = searchLists(source, lists)
  if (isMiss(found)) throw missingSource(source, found)
  const [first, ...others] = found
  if (!first || others.length > 0) throw ambiguousSource(source, found.map(printListed))
  return first.table
}

/** Returns the tables of a selector; missing and ambiguous ones are left out. */
export function selectListed<Table>(selector: TableSelector, lists: Lists<Table>): readonly Table[] {
  if (!selector.tables) return selectWhole(selector, lists).map(({ table }) => table)
  return selector.tables.flatMap((table) => {
    const found = searchLists({ ...selector, table }, lists)
    return isMiss(found) || found.length > 1 ? [] : found.map((listed) => listed.table)
  })
}

/** Returns the tables that state the requested levels; if there are none, those that leave them open. */
function selectWhole<Table>(
  selector: TableSelector,
  { aliases, origin, own }: Lists<Table>,
): readonly Listed<Table>[] {
  const found = narrow(selector, own, origin)
  const pool = isMiss(found) ? narrow(selector, aliases, origin) : found
  if (isMiss(pool)) return []
  const requested = LEVELS.filter((level) => selector[level])
  const stated = pool.filter((listed) => requested.every((level) => listed[level] !== undefined))
  return stated.length > 0 ? stated : pool
}

function searchLists<Table>(
  source: SourceName,
  { aliases, origin, own }: Lists<Table>,
): readonly Listed<Table>[] | Miss {
  const found = search(source, own, origin)
  if (!isMiss(found)) return found
  const alias = search(source, aliases, origin)
  if (!isMiss(alias)) return alias
  // the search that got further gives the better error
  if (found.level !== alias.level) return alias.level === 'table' ? alias : found
  return { ...found, names: [...found.names, ...alias.names] }
}

function search<Table>(
  source: SourceName,
  listed: readonly Listed<Table>[],
  origin: string,
): readonly Listed<Table>[] | Miss {
  const pool = narrow(source, listed, origin)
  if (isMiss(pool)) return pool
  const names = pool.map(({ name }) => name)
  const name = findName(source.table, names)
  if (name === undefined) return missingTable(source, { pool, listed, origin })
  const candidates = pool.filter((candidate) => candidate.name === name)
  const best = Math.max(...candidates.map((candidate) => agreement(candidate, source)))
  return candidates.filter((candidate) => agreement(candidate, source) === best)
}

/** Keeps the tables of a list whose stated databases and schemas match the request. */
function narrow<Table>(
  place: Place,
  listed: readonly Listed<Table>[],
  origin: string,
): readonly Listed<Table>[] | Miss {
  let pool = listed
  for (const level of LEVELS) {
    const part = place[level]
    if (!part) continue
    const names = pool.flatMap((entry) => entry[level] ?? [])
    const name = findName(part, names)
    const kept = pool.filter((entry) => entry[level] === undefined || entry[level] === name)
    if (kept.length === 0) return { level, place: origin, names }
    pool = kept
  }
  return pool
}

/**
 * Rates how well the stated levels of a table match the request; a level that was not requested matches best if it is
 * open.
 */
function agreement(listed: Listed<unknown>, place: Place): number {
  const points = LEVELS.map((level) => {
    if ((listed[level] === undefined) !== (place[level] === undefined)) return 0
    return place[level] ? 2 : 1
  })
  return points.reduce<number>((sum, point) => sum + point, 0)
}

interface Searched {
  readonly pool: readonly Listed<unknown>[]
  readonly listed: readonly Listed<unknown>[]
  readonly origin: string
}

function missingTable(source: SourceName, { listed, origin, pool }: Searched): Miss {
  const elsewhere = listed.filter((entry) => !pool.includes(entry) && findName(source.table, [entry.name]))
  return {
    level: 'table',
    place: source.schema ? `the schema ${source.schema.text} of ${origin}` : origin,
    names: pool.map(({ name }) => name),
    elsewhere: [
      ...wholeSchema(
        source,
        listed.flatMap((entry) => entry.schema ?? []),
      ),
      ...elsewhere.map(printListed).toSorted(),
    ],
  }
}

function printListed({ database, name, schema }: Listed<unknown>): string {
  return [database, schema, name].flatMap((part) => (part === undefined ? [] : printName(part))).join('.')
}

function isMiss(found: readonly Listed<unknown>[] | Miss): found is Miss {
  return 'level' in found
}

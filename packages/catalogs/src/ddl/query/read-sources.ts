import type { Cursor } from '../../sql/cursor.ts'
import { isWord } from '../../sql/tokens.ts'
import { readName, readNames, takeName } from '../names.ts'
import type { Script } from '../script.ts'
import type { Query, QuerySource } from './definitions.ts'

type ReadQuery = (cursor: Cursor, script: Script) => Query
type Sources = Pick<Query, 'sources' | 'mergesColumns'>

/** The words that may follow a table in FROM and are not its alias. */
const NO_ALIAS =
  `ANTI ANY ARRAY ASOF CROSS FINAL FORCE FULL GLOBAL IGNORE INNER JOIN LATERAL LEFT NATURAL ON OUTER PIVOT POSITIONAL RIGHT
  SAMPLE SEMI STRAIGHT_JOIN TABLESAMPLE UNPIVOT USE USING WITH MATCH_RECOGNIZE`
    .trim()
    .split(/\s+/)

/** Reads what stands behind FROM, with the help of what reads a query in brackets. */
export function readSources(cursor: Cursor, script: Script, readQuery: ReadQuery): Sources {
  const sources: QuerySource[] = []
  let mergesColumns = false
  do {
    const read = readSource(cursor, script, readQuery)
    sources.push(...read.sources)
    mergesColumns ||= read.mergesColumns
    while (!cursor.done && !cursor.atSymbol(',') && !atJoin(cursor)) {
      mergesColumns ||=
        cursor.at('NATURAL') || cursor.at('USING') || cursor.at('PIVOT') || cursor.at('UNPIVOT')
      if (!cursor.takeGroup()) cursor.next()
    }
  } while (!cursor.done && cursor.next())
  return { sources, mergesColumns }
}

function atJoin(cursor: Cursor): boolean {
  return cursor.at('JOIN') || cursor.at('STRAIGHT_JOIN')
}

function readSource(cursor: Cursor, script: Script, readQuery: ReadQuery): Sources {
  while (cursor.at('LATERAL') || cursor.at('ONLY')) cursor.next()
  const group = cursor.takeGroup()
  const isQuery = group?.at('SELECT') || group?.at('WITH') || group?.atSymbol('(')
  if (group && !isQuery && !group.at('VALUES')) return readSources(group, script, readQuery) // joins in brackets
  const source = group ? undefined : readTable(cursor, script)
  const alias = readAlias(cursor, script)
  const one = (rest: QuerySource): Sources => ({
    sources: [{ ...rest, ...alias, alias: alias.alias ?? rest.alias }],
    mergesColumns: false,
  })
  if (source) return one(source)
  if (!group || !isQuery) return one({ kind: 'other', alias: undefined })
  return one({ kind: 'query', query: readQuery(group, script), alias: undefined })
}

function readTable(cursor: Cursor, script: Script): QuerySource {
  const table = readName(cursor, script)
  const isCall = cursor.takeGroup() !== undefined
  return isCall ? { kind: 'other', alias: table.name } : { kind: 'table', table, alias: table.name }
}

function readAlias(cursor: Cursor, script: Script): Pick<QuerySource, 'alias' | 'names'> {
  const isNamed = cursor.skip('AS') || !isWord(cursor.peek(), ...NO_ALIAS)
  const alias = isNamed ? takeName(cursor, script) : undefined
  if (alias === undefined || !cursor.atSymbol('(')) return { alias }
  return { alias, names: readNames(cursor.takeGroup(), script) }
}

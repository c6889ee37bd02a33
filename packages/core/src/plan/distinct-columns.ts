import type { Dialect } from '@stagecraft/dialects'
import { StagecraftError, type Table } from '@stagecraft/spec'

/** Columns that SQL cannot tell apart: of the same name, or of the same but for case where that means nothing. */
function sameColumns({ columns }: Table, { identifiers }: Dialect): readonly string[] {
  const fold = (name: string): string => (identifiers.caseSensitive ? name : name.toLowerCase())
  if (new Set(columns.map(({ name }) => fold(name))).size === columns.length) return []
  const groups = Map.groupBy(
    columns.map(({ name }) => name),
    fold,
  )
  return [...groups.values()].filter((names) => names.length > 1).flat()
}

/** Says why a table with such columns cannot be staged; undefined where it can. */
export function explainSameColumns(table: Table, dialect: Dialect): string | undefined {
  const names = sameColumns(table, dialect)
  if (names.length === 0) return undefined
  const shown = names.map((name) => JSON.stringify(name)).join(', ')
  return `${dialect.name} cannot tell its columns ${shown} apart`
}

/** @throws {StagecraftError} INVALID_SOURCE that names the columns. */
export function assertDistinctColumns(table: Table, source: string, dialect: Dialect): void {
  const reason = explainSameColumns(table, dialect)
  if (reason === undefined) return
  const suggestion = 'rename them in the warehouse, or give the table with each column once'
  throw new StagecraftError('INVALID_SOURCE', `source ${source}: ${reason}`, { details: { suggestion } })
}

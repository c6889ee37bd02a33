import type { Inference, ProposedFact, ProposedKey, ProposedReference } from '@stagecraft/core/inference'
import type { CatalogTable, TableReference } from '@stagecraft/spec'
import { fromJson, toJson } from '../store/rows.ts'

/** The proposals about one table, without facts that are stored elsewhere. */
interface StoredProposals {
  readonly keys: readonly Omit<ProposedKey, 'table'>[]
  readonly references: readonly StoredReference[]
  readonly facts: readonly Omit<ProposedFact, 'table'>[]
}

interface StoredReference extends Omit<ProposedReference, 'child' | 'parent'> {
  readonly columns: readonly string[]
  readonly parent: { readonly table: TableReference; readonly columns: readonly string[] }
}

/** Prints the proposals of each table for the store. Declarations of the warehouse are not proposals. */
export function printProposals({ facts, keys, references }: Inference): (table: CatalogTable) => string {
  const keysOf = Map.groupBy(
    keys.filter(({ origin }) => origin !== 'declared'),
    ({ table }) => table,
  )
  const referencesOf = Map.groupBy(
    references.filter(({ origin }) => origin !== 'declared'),
    ({ child }) => child.table,
  )
  const factsOf = Map.groupBy(facts, ({ table }) => table)
  return (table) => {
    const stored: StoredProposals = {
      keys: (keysOf.get(table) ?? []).map(({ table: _, ...key }) => key),
      references: (referencesOf.get(table) ?? []).map(({ child, parent, ...reference }) => ({
        ...reference,
        columns: child.columns,
        parent: { table: placeOf(parent.table), columns: parent.columns },
      })),
      facts: (factsOf.get(table) ?? []).map(({ table: _, ...fact }) => fact),
    }
    return toJson(stored)
  }
}

/** Reads the output of `printProposals` for a table. */
export function readProposals(text: string, place: TableReference): Inference {
  const { facts, keys, references } = fromJson(text) as StoredProposals
  const table: CatalogTable = { ...place, columns: [] }
  return {
    keys: keys.map((key) => ({ ...key, table })),
    references: references.map(({ columns, parent, ...reference }) => ({
      ...reference,
      child: { table, columns },
      parent: { table: { ...parent.table, columns: [] }, columns: parent.columns },
    })),
    facts: facts.map((fact) => ({ ...fact, table })),
  }
}

function placeOf({ database, name, schema }: CatalogTable): TableReference {
  return { ...(database !== undefined && { database }), ...(schema !== undefined && { schema }), name }
}

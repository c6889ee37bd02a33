import type { CatalogTable, Observation, TableProfile } from '@stagecraft/spec'
import type { Inference, InferenceTable, ProposedFact, ProposedKey, ProposedReference } from './inference.ts'

/** Proposals below it need a decision by a person. */
const SURE = 0.85

/** Returns the facts that hold for every row; people decide on facts from names alone, or with violations. */
export function observationsOf(
  profiles: readonly InferenceTable[],
  { facts, keys, references }: Inference,
  on: string | undefined,
): ReadonlyMap<CatalogTable, Observation> {
  const keyOf = new Map(keys.map((key) => [key.table, key] as const))
  const held = Map.groupBy(references.filter(holds), ({ child }) => child.table)
  const sure = Map.groupBy(
    facts.filter(({ confidence }) => confidence >= SURE),
    ({ table }) => table,
  )
  return new Map(
    profiles.flatMap(({ profile, table }) => {
      if (!profile) return []
      const key = keyOf.get(table)
      const observed: Observation = {
        rows: profile.rows,
        ...(profile.sampled && { sampled: true }),
        ...(key?.origin === 'data' && { key: toObservedKey(key, profile) }),
        ...(held.has(table) && { references: held.get(table)?.map(toReference) ?? [] }),
        ...factsToKeep(sure.get(table) ?? []),
        ...(on !== undefined && { on }),
      }
      return [[table, observed] as const]
    }),
  )
}

/** The number of rows is stated if it differs from that of the profile. */
function toObservedKey(
  { columns, confidence, rows }: ProposedKey,
  profile: TableProfile,
): NonNullable<Observation['key']> {
  return { columns, confidence, ...(rows !== undefined && rows !== profile.rows && { rows }) }
}

function factsToKeep(
  facts: readonly ProposedFact[],
): Pick<Observation, 'forms' | 'notNull' | 'ranges' | 'values'> {
  const values = facts.flatMap(({ column, confidence, fact }) =>
    fact.kind === 'values' ? [{ column, values: fact.values, confidence }] : [],
  )
  const notNull = facts.flatMap(({ column, fact }) => (fact.kind === 'not_null' ? [column] : []))
  const ranges = facts.flatMap(({ column, confidence, fact }) => {
    if (fact.kind !== 'range') return []
    const { max, min } = fact
    return [{ column, ...(min !== undefined && { min }), ...(max !== undefined && { max }), confidence }]
  })
  const forms = facts.flatMap(({ column, fact }) =>
    fact.kind === 'form' ? [{ column, form: fact.form }] : [],
  )
  return {
    ...(values.length > 0 && { values }),
    ...(notNull.length > 0 && { notNull }),
    ...(ranges.length > 0 && { ranges }),
    ...(forms.length > 0 && { forms }),
  }
}

function holds({ origin, values }: ProposedReference): boolean {
  return origin === 'data' && values !== undefined && values.checked > 0 && values.orphans === 0
}

function toReference({
  child,
  confidence,
  parent,
  values,
}: ProposedReference): NonNullable<Observation['references']>[number] {
  const { database, name, schema } = parent.table
  return {
    columns: child.columns,
    references: {
      table: { ...(database !== undefined && { database }), ...(schema !== undefined && { schema }), name },
      columns: parent.columns,
    },
    values: values?.checked ?? 0,
    confidence,
  }
}

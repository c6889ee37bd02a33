import type { Fact } from './facts.ts'
import { type Json, toList, toText, toTexts } from './json.ts'
import type { RelationIndex } from './relation-index.ts'
import type { Relation } from './relations.ts'

/** Reads the contract of a model: constraints of the table and of its columns. */
export function readConstraintFacts(relation: Relation, index: RelationIndex): readonly Fact[] {
  const ofTable = relation.constraints.flatMap((constraint) =>
    toFacts(constraint, toTexts(constraint['columns']) ?? [], index),
  )
  const ofColumns = relation.columns.flatMap((column) =>
    toList(column['constraints']).flatMap((constraint) =>
      toFacts(constraint, [toText(column['name']) ?? ''], index),
    ),
  )
  return [...ofTable, ...ofColumns]
}

function toFacts(constraint: Json, columns: readonly string[], index: RelationIndex): readonly Fact[] {
  if (columns.length === 0) return []
  switch (constraint['type']) {
    case 'primary_key':
      return [{ kind: 'primary', columns }]
    case 'unique':
      return [{ kind: 'unique', columns }]
    case 'not_null':
      return columns.map((column) => ({ kind: 'required', column }))
    case 'foreign_key':
      return toForeignKey(constraint, columns, index)
    default:
      return []
  }
}

function toForeignKey(constraint: Json, columns: readonly string[], index: RelationIndex): readonly Fact[] {
  const to = toText(constraint['to'])
  const target = to === undefined ? undefined : (index.byRelationName.get(to) ?? index.find(to))
  const targetColumns = toTexts(constraint['to_columns'])
  return target && targetColumns?.length === columns.length
    ? [{ kind: 'foreign', columns, target: target.id, targetColumns }]
    : []
}

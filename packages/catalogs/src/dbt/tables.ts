import type { CatalogTable, Column, ForeignKey } from '@stagecraft/spec'
import { mergeValues } from '../sql/value-list.ts'
import { columnsOf, findColumn, type KnownColumn } from './columns.ts'
import type { Fact } from './facts.ts'
import type { Relation } from './relations.ts'

export interface TableOptions {
  /** The tables that foreign keys point to, by unique id. */
  readonly relations: ReadonlyMap<string, Relation>
  /** True if a dot in the name of a column leads to a field of a struct. */
  readonly isNested: boolean
}

/** Creates a table from artifacts, constraints and tests together. */
export function toTable(relation: Relation, facts: readonly Fact[], options: TableOptions): CatalogTable {
  const known = columnsOf(relation, options.isNested)
  const spelled = facts.flatMap((fact) => spell(fact, known))
  const { primaryKey, uniqueKeys } = chooseKeys(spelled)
  const foreignKeys = spelled.flatMap((fact) => toForeignKey(fact, options))
  const { database, description, kind, name, ref, schema } = relation
  return {
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    name,
    kind,
    ...(description !== undefined && { comment: description }),
    columns: known.map((column) => toColumn(column, spelled, primaryKey)),
    ...(primaryKey && { primaryKey }),
    ...(uniqueKeys.length > 0 && { uniqueKeys }),
    ...(foreignKeys.length > 0 && { foreignKeys }),
    ...(ref !== undefined && { model: ref }),
  }
}

/**
 * Returns a fact with the stored names of its columns; undefined if one is missing, because tests may be on
 * expressions.
 */
function spell(fact: Fact, known: readonly KnownColumn[]): readonly Fact[] {
  if ('column' in fact) {
    const column = findColumn(fact.column, known)
    return column ? [{ ...fact, column: column.name }] : []
  }
  const columns = fact.columns.flatMap((name) => findColumn(name, known)?.name ?? [])
  return columns.length === fact.columns.length ? [{ ...fact, columns }] : []
}

/**
 * Chooses the primary key: the declared one, otherwise the only key that is tested as unique and not null,
 * where a key of one column precedes keys of several. All other unique columns are further keys.
 */
function chooseKeys(facts: readonly Fact[]): {
  readonly primaryKey: readonly string[] | undefined
  readonly uniqueKeys: readonly (readonly string[])[]
} {
  const declared = keys(facts, 'primary')[0]
  const unique = keys(facts, 'unique').filter((key) => !isSame(key, declared))
  const complete = unique.filter((key) => key.every((column) => isRequired(column, facts)))
  const single = complete.filter((key) => key.length === 1)
  const candidates = single.length > 0 ? single : complete
  const primaryKey = declared ?? (candidates.length === 1 ? candidates[0] : undefined)
  return { primaryKey, uniqueKeys: unique.filter((key) => !isSame(key, primaryKey)) }
}

function keys(facts: readonly Fact[], kind: 'primary' | 'unique'): readonly (readonly string[])[] {
  const found = facts.flatMap((fact) => (fact.kind === kind ? [fact.columns] : []))
  return found.filter((key, index) => found.findIndex((other) => isSame(other, key)) === index)
}

function isSame(a: readonly string[], b: readonly string[] | undefined): boolean {
  return a.length === b?.length && a.every((column) => b.includes(column))
}

function isRequired(column: string, facts: readonly Fact[]): boolean {
  return facts.some((fact) => fact.kind === 'required' && fact.column === column)
}

function toColumn(
  { comment, name, type }: KnownColumn,
  facts: readonly Fact[],
  primaryKey: readonly string[] = [],
): Column {
  const lists = facts.flatMap((fact) => (fact.kind === 'values' && fact.column === name ? [fact.values] : []))
  const values = mergeValues(lists)
  return {
    name,
    type,
    ...((isRequired(name, facts) || primaryKey.includes(name)) && { nullable: false }),
    ...(comment !== undefined && { comment }),
    ...(values && { values }),
  }
}

function toForeignKey(fact: Fact, { isNested, relations }: TableOptions): readonly ForeignKey[] {
  const target = fact.kind === 'foreign' ? relations.get(fact.target) : undefined
  if (fact.kind !== 'foreign' || !target) return []
  const known = columnsOf(target, isNested)
  const columns = fact.targetColumns.map((name) => findColumn(name, known)?.name ?? name)
  const table = { ...(target.schema !== undefined && { schema: target.schema }), name: target.name }
  return [{ columns: fact.columns, references: { table, columns } }]
}

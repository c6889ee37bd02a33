import type { Relation } from './relations.ts'

/** The tables of a project, by every kind of reference. */
export interface RelationIndex {
  readonly byId: ReadonlyMap<string, Relation>
  /** By the name in SQL, as in contracts. */
  readonly byRelationName: ReadonlyMap<string, Relation>
  /**
   * Finds a table by a text that contains `ref('model')`, `ref('package', 'model')` or `source('source',
   * 'table')`.
   */
  find(text: unknown): Relation | undefined
}

const CALL = /\b(ref|source)\(([^)]*)\)/
const TEXT = /'([^']*)'|"([^"]*)"/g

export function indexRelations(relations: readonly Relation[]): RelationIndex {
  const calls = new Map(relations.map((relation) => [callOf(relation), relation]))
  return {
    byId: new Map(relations.map((relation) => [relation.id, relation])),
    byRelationName: new Map(relations.map((relation) => [relation.relationName ?? '', relation])),
    find: (text) => {
      const [, kind, inside = ''] = typeof text === 'string' ? (CALL.exec(text) ?? []) : []
      if (kind === undefined) return undefined
      const names = [...inside.matchAll(TEXT)].map(([, single, double]) => single ?? double ?? '')
      return calls.get(JSON.stringify(kind === 'ref' ? names.slice(-1) : names))
    },
  }
}

function callOf({ ref, source }: Relation): string {
  return JSON.stringify(source ? [source.name, source.table] : [ref])
}

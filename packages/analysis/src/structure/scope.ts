import {
  columnOf,
  expressionOf,
  hasColumn,
  lackingColumn,
  NOTHING,
  type Query,
  UNRESOLVED,
  type Value,
} from './query.ts'
import type { StructureRelation } from './sql-structure.ts'
import { isTree, listAt, nameOf, type Span, spanOf, type Tree, unwrap } from './syntax-tree.ts'

/** A relation or query below `from`, under its visible name. */
export interface Visible {
  readonly alias: string
  /** The name of a relation without an alias, in lower case. @default none */
  readonly ownName?: string | undefined
  readonly query: Query
}

export interface Scope {
  readonly ctes: ReadonlyMap<string, Query>
  readonly visible: readonly Visible[]
  /** Earlier aliases of the select list, which many warehouses allow in later expressions. */
  readonly aliases: ReadonlyMap<string, Value>
  /** Columns that `using` merges. */
  readonly merged?: readonly string[]
  /** The place of the first relation below `from`. */
  readonly from?: number | undefined
  readonly parent: Scope | undefined
  /** True inside a lambda, which has parameters and no relations. @default false */
  readonly isLambda?: boolean
}

/** Returns the scope of the body of `x -> x + tax`: its parameters stand before the columns. */
export function lambdaScope(lambda: unknown, scope: Scope): Scope {
  const parameters = isTree(lambda) ? listAt(lambda, 'parameters') : []
  const names = parameters.flatMap((one) => nameOf(one)?.toLowerCase() ?? [])
  const aliases = new Map(names.map((name) => [name, expressionOf([])] as const))
  return { ctes: scope.ctes, visible: [], aliases, parent: scope, isLambda: true }
}

/** The span of parts that the parser does not place. */
export const NOWHERE: Span = { start: 0, end: 0 }

/** A column as written in a query. */
export interface WrittenColumn {
  readonly table: string | undefined
  readonly name: string
  readonly span: Span
}

/** Returns the value of a column; `a.b` may be the field of a column too. */
export function lookUpColumn({ name, span, table }: WrittenColumn, scope: Scope): Value {
  if (table === undefined) return bare(name, { scope, span }) ?? UNRESOLVED
  const found = qualified(table, name, { scope, span })
  if (found) return found
  const struct = bare(table, { scope, span })
  return struct && isKnownColumn(table, scope) ? expressionOf([struct]) : UNRESOLVED
}

interface Sought {
  readonly scope: Scope
  readonly span: Span
}

/** Returns true for the relation that a qualifier in lower case means. */
export function isCalled({ alias, ownName }: Visible, qualifier: string): boolean {
  return alias === qualifier || ownName === qualifier
}

function qualified(table: string, name: string, { scope, span }: Sought): Value | undefined {
  const wanted = table.toLowerCase()
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const found = at.visible.find((one) => isCalled(one, wanted))
    if (found)
      return columnOf(found.query, name, span) ?? lackingColumn(found.query, name, span) ?? UNRESOLVED
  }
  return undefined
}

function bare(name: string, { scope, span }: Sought): Value | undefined {
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const sure = at.visible.find(({ query }) => hasColumn(query, name) === 'yes')
    if (sure) return columnOf(sure.query, name, span)
    const alias = at.aliases.get(name.toLowerCase())
    if (alias) return alias
    const [only, ...others] = at.visible.filter(({ query }) => hasColumn(query, name) === 'maybe')
    if (only) return others.length === 0 ? columnOf(only.query, name, span) : undefined
  }
  let around = scope
  while (around.isLambda && around.parent) around = around.parent
  const [only, ...others] = around.visible
  return only && others.length === 0 ? lackingColumn(only.query, name, span) : undefined
}

/** Returns the first place in a piece of the tree. */
export function firstOffset(node: unknown): number | undefined {
  const own = spanOf(node)
  if (own) return own.start
  const inner = Array.isArray(node) ? (node as readonly unknown[]) : isTree(node) ? Object.values(node) : []
  const found = inner.flatMap((part) =>
    typeof part === 'object' && part !== null ? (firstOffset(part) ?? []) : [],
  )
  return found.length > 0 ? Math.min(...found) : undefined
}

export function aliasOf(data: Tree): string {
  return (nameOf(data['alias']) ?? nameOf(data['name']) ?? '').toLowerCase()
}

export function lateralNames(view: unknown): readonly Visible[] {
  if (!isTree(view)) return []
  const names = listAt(view, 'column_aliases').flatMap((one) => nameOf(one) ?? [])
  const columns = names.map((name) => ({ ...UNRESOLVED, name, span: NOWHERE, isFromStar: false }))
  return [{ alias: nameOf(view['table_alias'])?.toLowerCase() ?? '', query: { ...NOTHING, columns } }]
}

/** Merges the columns that `using` names: each is one column, not two. */
export function mergedBy(visible: readonly Visible[], names: readonly string[]): readonly Visible[] {
  if (names.length === 0) return visible
  const merged = new Set(names.map((name) => name.toLowerCase()))
  const seen = new Set<string>()
  return visible.map(({ alias, query }) => {
    const columns = query.columns.filter(({ name }) => {
      const key = name.toLowerCase()
      if (!merged.has(key) || !seen.has(key)) return true
      return false
    })
    for (const { name } of query.columns) seen.add(name.toLowerCase())
    return { alias, query: { ...query, columns } }
  })
}

export function isUnionStar(items: readonly unknown[], { visible }: Scope): boolean {
  return items.length === 1 && visible.length === 1 && (visible[0]?.query.isUnion ?? false)
}

/** Returns the names in `as t(a, b)`. */
export function renamed(query: Query, names: readonly unknown[]): Query {
  if (names.length === 0) return query
  const columns = names.flatMap((one, index) => {
    const name = nameOf(one)
    if (name === undefined) return []
    const column = query.open.length + query.gaps.length === 0 ? query.columns[index] : undefined
    const value = column ?? { ...UNRESOLVED, isFromStar: false }
    return [{ ...value, name, span: spanOf(one) ?? NOWHERE }]
  })
  return { ...NOTHING, columns, stars: query.stars }
}

/** Returns the name of a column without an alias. */
export function bareName(kind: string, data: Tree): string | undefined {
  if (kind === 'column') return nameOf(data['name'])
  return kind === 'dot' ? nameOf(data['field']) : undefined
}

export function spanNode(kind: string, data: Tree): unknown {
  if (kind === 'column') return data['name']
  return kind === 'dot' ? data['field'] : undefined
}

/** Returns the new names in `* rename (a as b)`, by former name. */
export function renamesOf(data: Tree): ReadonlyMap<string, string> {
  return new Map(
    listAt(data, 'rename').flatMap((one) => {
      const pair: readonly unknown[] = Array.isArray(one)
        ? one
        : isTree(one)
          ? [one['this'] ?? one['from'], one['alias'] ?? one['to']]
          : []
      const [from, to] = [nameOf(pair[0]), nameOf(pair[1])]
      return from !== undefined && to !== undefined ? [[from.toLowerCase(), to] as const] : []
    }),
  )
}

/** Returns the names that `* replace (a + 1 as a)` changes, in lower case. */
export function replacementsOf(data: Tree): readonly (readonly [name: string, value: unknown])[] {
  return listAt(data, 'replace').flatMap((one) => {
    const alias = isTree(one) && 'alias' in one && 'this' in one ? one : unwrap(one)[1]
    const name = nameOf(alias['alias'])?.toLowerCase()
    return name === undefined ? [] : [[name, alias['this']] as const]
  })
}

/** Returns the known columns of a relation. */
export function ofNames(relation: StructureRelation, names: readonly string[]): Query {
  const columns = names.map((name) => ({
    name,
    span: NOWHERE,
    kind: 'direct' as const,
    sources: [{ relation, column: name, span: NOWHERE }],
    isSourceComplete: true,
    casts: [],
    isFromStar: false,
  }))
  return { ...NOTHING, columns, stars: [NOWHERE], base: relation }
}

/** Returns true if a name is a known column of a visible relation. */
function isKnownColumn(name: string, scope: Scope): boolean {
  for (let at: Scope | undefined = scope; at; at = at.parent)
    if (at.visible.some(({ query }) => hasColumn(query, name) !== 'no') || at.aliases.has(name.toLowerCase()))
      return true
  return false
}

/** Returns the relation whose columns a lone `*` passes on unchanged. */
export function baseOf(items: readonly unknown[], { visible }: Scope): StructureRelation | undefined {
  const [only, ...others] = visible
  const [kind, data] = unwrap(items[0])
  const isPlain =
    kind === 'star' &&
    ['except', 'exclude', 'replace', 'rename'].every((key) => listAt(data, key).length === 0)
  return isPlain && items.length === 1 && others.length === 0 ? only?.query.base : undefined
}

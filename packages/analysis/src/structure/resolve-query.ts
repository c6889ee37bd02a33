import { UNKNOWN_CALL } from './jinja/values.ts'
import {
  expressionOf,
  gapOf,
  NOTHING,
  type OpenStar,
  type Query,
  type QueryColumn,
  type Resolved,
  type ResolveOptions,
  type RootJoin,
  type RootRead,
  unite,
  UNRESOLVED,
  type Value,
  withoutTwins,
} from './query.ts'
import { expandStar } from './expand-star.ts'
import { type JoinedPart, readJoins, sharedColumns } from './read-joins.ts'
import {
  aliasOf,
  baseOf,
  bareName,
  firstOffset,
  isCalled,
  isUnionStar,
  lateralNames,
  lambdaScope,
  lookUpColumn,
  mergedBy,
  NOWHERE,
  ofNames,
  renamed,
  replacementsOf,
  type Scope,
  spanNode,
  type Visible,
  type WrittenColumn,
} from './scope.ts'
import { isTree, listAt, nameOf, QUERIES, type Span, spanOf, type Tree, unwrap } from './syntax-tree.ts'

/** Resolves the columns of a query to the columns of relations that they are made of. */
export function resolveQuery(tree: unknown, options: ResolveOptions): Resolved {
  const resolver = new Resolver(options)
  const query = resolver.query(tree, { ctes: new Map(), visible: [], aliases: new Map(), parent: undefined })
  return {
    query,
    reads: withoutTwins(resolver.reads),
    excluded: withoutTwins(resolver.excluded),
    unresolved: [...resolver.unresolved],
    joins: resolver.joins.toSorted((a, b) => a.left.span.start - b.left.span.start),
  }
}

const SET_OPERATIONS = new Set(['union', 'intersect', 'except'])

class Resolver {
  readonly reads: RootRead[] = []
  readonly excluded: RootRead[] = []
  readonly unresolved = new Set<string>()
  readonly joins: RootJoin[] = []
  readonly #options: ResolveOptions

  constructor(options: ResolveOptions) {
    this.#options = options
  }

  query(node: unknown, outer: Scope): Query {
    const [kind, data] = unwrap(node)
    const scope = this.#withCtes(data['with'], outer)
    if (kind === 'select') return this.#select(data, scope)
    if (kind === 'subquery') return renamed(this.query(data['this'], scope), listAt(data, 'column_aliases'))
    if (SET_OPERATIONS.has(kind)) {
      const [left, right] = [this.query(data['left'], scope), this.query(data['right'], scope)]
      return kind === 'union' ? unite(left, right, data['by_name'] === true) : left
    }
    if (kind === 'table') return this.#table(data, scope)
    return { ...NOTHING, gaps: [this.#isUnknownCall(kind, data) ? this.#unknown() : gapOf(kind)] }
  }

  #withCtes(clause: unknown, outer: Scope): Scope {
    if (!isTree(clause)) return outer
    const ctes = new Map(outer.ctes)
    for (const cte of listAt(clause, 'ctes')) {
      if (!isTree(cte)) continue
      const name = nameOf(cte['alias'])?.toLowerCase() ?? ''
      const scope = { ...outer, ctes }
      const columns = listAt(cte, 'columns')
      const [kind, body] = unwrap(cte['this'])
      // A recursive query reads the columns of its first branch.
      if (clause['recursive'] === true && SET_OPERATIONS.has(kind))
        ctes.set(name, renamed(this.query(body['left'], scope), columns))
      ctes.set(name, renamed(this.query(cte['this'], scope), columns))
    }
    return { ...outer, ctes }
  }

  #select(data: Tree, outer: Scope): Query {
    const visible: Visible[] = []
    const scope: Scope = { ctes: outer.ctes, visible, aliases: new Map(), parent: outer }
    const from = isTree(data['from']) ? listAt(data['from'], 'expressions') : []
    const parts = this.#relations(visible, scope, { from, joins: listAt(data, 'joins') })
    for (const view of listAt(data, 'lateral_views')) visible.push(...lateralNames(view))
    const merged = parts.flatMap((part) => sharedColumns(part, scope).map(({ written }) => written.name))
    const result = this.#items(listAt(data, 'expressions'), {
      ...scope,
      merged,
      from: firstOffset(from),
    })
    const named = new Map(result.columns.map((column) => [column.name.toLowerCase(), column]))
    const rest = Object.entries(data).filter(([key]) => !READ_ALREADY.has(key))
    for (const [, clause] of rest) this.#collect(clause, { ...scope, aliases: named })
    this.#conditions(parts, scope)
    this.joins.push(...readJoins(parts, data['where_clause'], scope))
    return result
  }

  /** Adds the relations of a `from` and its joins to those that are visible. */
  #relations(
    visible: Visible[],
    scope: Scope,
    { from, joins }: { readonly from: readonly unknown[]; readonly joins: readonly unknown[] },
  ): readonly JoinedPart[] {
    for (const item of from) visible.push(...this.#from(item, scope))
    return joins.filter(isTree).map((clause) => {
      const start = visible.length
      visible.push(...this.#from(clause['this'], scope))
      return { start, end: visible.length, clause }
    })
  }

  /** Reads the columns by which relations are joined. */
  #conditions(parts: readonly JoinedPart[], scope: Scope): void {
    for (const part of parts) {
      this.#collect(part.clause['on'], scope)
      for (const { left, right, written } of sharedColumns(part, scope))
        for (const side of [left, right]) this.#read(side, written)
    }
  }

  #items(items: readonly unknown[], scope: Scope): Query {
    const [columns, open, gaps, stars]: [QueryColumn[], OpenStar[], string[], Span[]] = [[], [], [], []]
    const aliases = new Map<string, Value>()
    for (const item of items) {
      const [kind, data] = unwrap(item)
      const isStar = kind === 'star' || (kind === 'column' && nameOf(data['name']) === '*')
      const part = isStar ? this.#star(data, { ...scope, aliases }) : this.#item(item, { ...scope, aliases })
      columns.push(...part.columns)
      open.push(...part.open)
      gaps.push(...part.gaps)
      stars.push(...part.stars)
      for (const column of part.columns) if (!isStar) aliases.set(column.name.toLowerCase(), column)
    }
    const base = baseOf(items, scope)
    return {
      columns,
      open,
      isUnion: isUnionStar(items, scope),
      gaps: [...new Set(gaps)],
      stars,
      ...(base && { base }),
    }
  }

  #item(item: unknown, scope: Scope): Query {
    const [kind, data] = unwrap(item)
    const isAlias = kind === 'alias'
    const value = this.#value(isAlias ? data['this'] : item, scope)
    const name = isAlias ? nameOf(data['alias']) : bareName(kind, data)
    if (name === undefined && this.#isUnknownCall(kind, data)) return { ...NOTHING, gaps: [this.#unknown()] }
    const span = this.#span(isAlias ? data['alias'] : (spanNode(kind, data) ?? item))
    return { ...NOTHING, columns: [{ ...value, name: name ?? '', span, isFromStar: false }] }
  }

  #isUnknownCall(kind: string, data: Tree): boolean {
    return kind === 'function' && String(data['name']).toLowerCase().includes(UNKNOWN_CALL)
  }

  #unknown(): string {
    const { unknowns } = this.#options
    return unknowns.length > 0
      ? `${unknowns.join(', ')}: only known when dbt runs`
      : 'part of it is only known when dbt runs'
  }

  #star(data: Tree, scope: Scope): Query {
    const qualifier = nameOf(data['table'])?.toLowerCase()
    const chosen =
      qualifier === undefined
        ? mergedBy(scope.visible, scope.merged ?? [])
        : scope.visible.filter((one) => isCalled(one, qualifier))
    if (chosen.length === 0) return { ...NOTHING, gaps: ['a * over an unknown relation'] }
    for (const one of [...listAt(data, 'except'), ...listAt(data, 'exclude')])
      this.#exclude(one, { ...scope, visible: chosen, parent: undefined })
    const replaced = new Map(
      replacementsOf(data).map(([name, node]) => [name, this.#value(node, scope)] as const),
    )
    return expandStar(data, { chosen, replaced, span: this.#starSpan(data, scope) })
  }

  /** Records a column that a `*` leaves out. The warehouse has to find it, but the query does not read it. */
  #exclude(node: unknown, scope: Scope): void {
    const [name, span] = [nameOf(node), this.#span(node)]
    if (name === undefined) return
    const { sources } = lookUpColumn({ table: undefined, name, span }, scope)
    this.excluded.push(...sources.map((read) => (read.span === NOWHERE ? { ...read, span } : read)))
  }

  /** The parser gives no place for a bare `*`: it is the last one before the `from`. */
  #starSpan(data: Tree, { from }: Scope): Span {
    const qualifier = spanOf(data['table'])
    if (qualifier) return { start: qualifier.start, end: qualifier.end + 2 }
    const start = from === undefined ? -1 : this.#options.sql.lastIndexOf('*', from)
    return start === -1 ? NOWHERE : { start, end: start + 1 }
  }

  /** Resolves an item of `from`: a table, a subquery, a function. */
  #from(item: unknown, scope: Scope): readonly Visible[] {
    const [kind, data] = unwrap(item)
    if (kind === 'table') return [this.#named(data, scope)]
    if (kind === 'subquery' || kind === 'union' || kind === 'select')
      return [
        {
          alias: nameOf(data['alias'])?.toLowerCase() ?? '',
          query: this.query(item, { ...scope, aliases: new Map() }),
        },
      ]
    if (kind === 'alias') {
      const [inner] = unwrap(data['this'])
      const names = listAt(data, 'column_aliases')
      const query = QUERIES.has(inner) ? this.query(data['this'], scope) : this.#function(data['this'], scope)
      return [{ alias: nameOf(data['alias'])?.toLowerCase() ?? '', query: renamed(query, names) }]
    }
    if (kind === 'joined_table') return this.#joined(data, scope)
    return [{ alias: nameOf(data['alias'])?.toLowerCase() ?? '', query: this.#function(item, scope) }]
  }

  /** `(a join b on …)`. */
  #joined(data: Tree, outer: Scope): readonly Visible[] {
    const visible: Visible[] = []
    const scope: Scope = { ...outer, visible, aliases: new Map() }
    const parts = this.#relations(visible, scope, { from: [data['left']], joins: listAt(data, 'joins') })
    this.#conditions(parts, scope)
    return visible
  }

  /** A table function, whose columns are unknown. */
  #function(node: unknown, scope: Scope): Query {
    this.#collect(node, scope)
    const [kind, data] = unwrap(node)
    const gap = `the columns of ${kind.replaceAll('_', ' ')} are not known`
    return { ...NOTHING, gaps: [this.#isUnknownCall(kind, data) ? this.#unknown() : gap] }
  }

  #named(data: Tree, scope: Scope): Visible {
    const relation = this.#options.relationOf(nameOf(data['name']) ?? '')
    const ownName = relation && !isTree(data['alias']) ? this.#options.nameOf(relation) : undefined
    return { alias: aliasOf(data), ownName, query: this.#table(data, scope) }
  }

  #table(data: Tree, { ctes }: Scope): Query {
    const name = nameOf(data['name']) ?? ''
    const isBare = !isTree(data['schema'])
    const cte = isBare ? ctes.get(name.toLowerCase()) : undefined
    const columns = listAt(data, 'column_aliases')
    if (cte) return renamed(cte, columns)
    const path = [data['catalog'], data['schema'], data['name']].flatMap((part) => nameOf(part) ?? [])
    const written = path.join('.')
    const relation = this.#options.relationOf(name, written) ?? { kind: 'other' as const, name: written }
    const known = this.#options.columnsOf(relation)
    if (known) return renamed(ofNames(relation, known), columns)
    return renamed(
      { ...NOTHING, open: [{ relation, without: new Set(), span: NOWHERE }], stars: [NOWHERE] },
      columns,
    )
  }

  /** Returns the value of an expression, and records its columns as read. */
  #value(node: unknown, scope: Scope): Value {
    const [kind, data] = unwrap(node)
    if (kind === 'column') return this.#column(data, scope)
    const isSafe = kind === 'try_cast' || kind === 'safe_cast'
    if (kind !== 'cast' && !isSafe) return this.#collect(node, scope)
    const inner = this.#value(data['this'], scope)
    if (inner.kind === 'expression') return inner
    return {
      ...inner,
      kind: 'cast',
      casts: [...inner.casts, { type: this.#options.printType(data['to']), isSafe }],
    }
  }

  /** Reads the columns in a piece of the tree, and returns the value made of them. */
  #collect(node: unknown, scope: Scope): Value {
    const parts: Value[] = []
    this.#gather(node, scope, parts)
    return expressionOf(parts)
  }

  #gather(node: unknown, scope: Scope, parts: Value[]): void {
    if (Array.isArray(node)) for (const item of node as readonly unknown[]) this.#gather(item, scope, parts)
    if (!isTree(node)) return
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null || key === 'span') continue
      if (key === 'column' && isTree(value) && 'name' in value) parts.push(this.#column(value, scope))
      else if (key === 'lambda') this.#gather(value, lambdaScope(value, scope), parts)
      else if (QUERIES.has(key)) parts.push(this.#inner(this.query({ [key]: value }, scope)))
      else {
        if (isTree(value) && this.#isUnknownCall(key, value)) parts.push(UNRESOLVED)
        this.#gather(value, scope, parts)
      }
    }
  }

  /** A query inside an expression: its columns are part of the value. */
  #inner(query: Query): Value {
    const value = expressionOf(query.columns)
    return query.open.length + query.gaps.length > 0 ? { ...value, isSourceComplete: false } : value
  }

  #column(data: Tree, scope: Scope): Value {
    const name = nameOf(data['name']) ?? ''
    if (name === '*') return expressionOf([])
    const span = this.#span(data['name'])
    const written = { table: nameOf(data['table']), name, span }
    return this.#read(lookUpColumn(written, scope), written)
  }

  /** Records a column as read. */
  #read(value: Value, { name, span }: WrittenColumn): Value {
    if (value.sources.length === 0 && !value.isSourceComplete) this.unresolved.add(name)
    const placed = value.sources.map((read) => (read.span === NOWHERE ? { ...read, span } : read))
    this.reads.push(...placed)
    return { ...value, sources: placed }
  }

  #span(node: unknown): Span {
    return spanOf(node) ?? NOWHERE
  }
}

/** Clauses of a select that are handled separately. */
const READ_ALREADY = new Set(['expressions', 'from', 'joins', 'with', 'lateral_views'])

import { UnreadableSql } from '../../sql/cursor.ts'
import type {
  ColumnDefinition,
  QualifiedName,
  Query,
  QuerySource,
  SelectItem,
  TableDefinition,
} from '../definitions.ts'

type Find = (name: QualifiedName) => TableDefinition | undefined

/** The result columns of a query, or the reason why they are unknown. */
export type Resolved = { readonly columns: readonly ColumnDefinition[] } | { readonly reason: UnreadableSql }

interface Scope {
  readonly find: Find
  /** The queries of WITH around this one, innermost last. */
  readonly parts: readonly Query['parts'][number][]
}

/** The maximum nesting of queries. A query of WITH may refer to itself. */
const DEEPEST = 20

/**
 * Resolves the result columns of a query: all names, and the types of columns that come from a known table or
 * are cast.
 *
 * @param names The names of the columns, if the statement lists them; they replace those of the query.
 */
export function resolveQuery(query: Query, find: Find, names?: readonly string[]): Resolved {
  const resolved = resolveIn(query, { find, parts: [] }, { depth: 0, isNamed: names !== undefined })
  if (!names) return resolved
  const columns = 'columns' in resolved && resolved.columns.length === names.length ? resolved.columns : []
  return { columns: names.map((name, index) => ({ type: undefined, ...columns[index], name })) }
}

interface ResolveOptions {
  readonly depth: number
  readonly isNamed: boolean
}

function resolveIn(query: Query, outer: Scope, { depth, isNamed }: ResolveOptions): Resolved {
  if (query.unreadable) return { reason: query.unreadable }
  if (depth > DEEPEST) return { reason: new UnreadableSql(-1, `at most ${DEEPEST} nested queries`, 'more') }
  const scope = { ...outer, parts: [...outer.parts, ...query.parts] }
  const sources = query.sources.map((source) => ({ source, columns: columnsOf(source, scope, depth) }))
  const columns: ColumnDefinition[] = []
  for (const item of query.items) {
    if (item.kind === 'expression') {
      if (item.name === undefined && !isNamed) return { reason: nameless(item) }
      columns.push(toColumn(item, sources))
      continue
    }
    const found = expandStar(item, query, sources)
    if ('reason' in found) return found
    columns.push(...found.columns)
  }
  return columns.length > 0 ? { columns } : { reason: new UnreadableSql(-1, 'a select list', 'none') }
}

function nameless({ offset }: Extract<SelectItem, { readonly kind: 'expression' }>): UnreadableSql {
  return new UnreadableSql(offset, 'a name for every column of the query', 'an expression without a name')
}

interface Known {
  readonly source: QuerySource
  readonly columns: readonly ColumnDefinition[] | undefined
}

function columnsOf(
  source: QuerySource,
  scope: Scope,
  depth: number,
): readonly ColumnDefinition[] | undefined {
  const columns = ownColumns(source, scope, depth)
  return columns?.map((column, index) => ({ ...column, name: source.names?.[index] ?? column.name }))
}

function ownColumns(
  source: QuerySource,
  scope: Scope,
  depth: number,
): readonly ColumnDefinition[] | undefined {
  if (source.kind === 'other') return undefined
  if (source.kind === 'query')
    return columnsIn(
      resolveIn(source.query, scope, { depth: depth + 1, isNamed: source.names !== undefined }),
    )
  const { name, schema } = source.table
  const at = schema === undefined ? scope.parts.findLastIndex((one) => one.name === name) : -1
  const part = scope.parts[at]
  if (!part) return scope.find(source.table)?.columns
  // a query of WITH can refer to those before it
  const before = { ...scope, parts: scope.parts.slice(0, at) }
  const columns = columnsIn(
    resolveIn(part.query, before, { depth: depth + 1, isNamed: part.names !== undefined }),
  )
  return columns?.map((column, index) => ({ ...column, name: part.names?.[index] ?? column.name }))
}

function columnsIn(resolved: Resolved): readonly ColumnDefinition[] | undefined {
  return 'columns' in resolved ? resolved.columns : undefined
}

function expandStar(
  { except, of, renamed = [], replaced = [] }: Extract<SelectItem, { readonly kind: 'star' }>,
  query: Query,
  sources: readonly Known[],
): Resolved {
  const selected = of === undefined ? sources : sources.filter(({ source }) => isSame(source.alias, of))
  const star = of === undefined ? '*' : `${of}.*`
  const unknown = selected.find(({ columns }) => columns === undefined)
  const isMixed = of === undefined && query.mergesColumns && sources.length > 1
  if (selected.length === 0 || unknown || isMixed) {
    const source = isMixed ? 'joins that merge columns' : (unknown?.source.alias ?? of ?? 'a source')
    const received = isMixed ? source : `${source}, whose columns are not known`
    return { reason: new UnreadableSql(-1, `known columns for ${star}`, received) }
  }
  const columns = selected.flatMap((one) => one.columns ?? []).filter(({ access }) => access === undefined)
  const kept = columns.filter(({ name }) => !except.some((other) => isSame(other, name)))
  return {
    columns: kept.map((column) => {
      const other = replaced.find((item) => item.kind === 'expression' && isSame(item.name, column.name))
      const shown = other?.kind === 'expression' ? toColumn(other, sources) : bare(column)
      const name = renamed.find(([from]) => isSame(from, column.name))?.[1]
      return { ...shown, name: name ?? column.name }
    }),
  }
}

function toColumn(
  { name = '', path, type }: Extract<SelectItem, { readonly kind: 'expression' }>,
  sources: readonly Known[],
): ColumnDefinition {
  if (type !== undefined) return { name, type }
  const column = path?.at(-1)
  const table = path?.at(-2)
  if (column === undefined) return { name, type: undefined }
  const found = sources
    .filter(({ source }) => table === undefined || isSame(source.alias, table))
    .flatMap(({ columns = [] }) => columns.filter((one) => isSame(one.name, column)))
  const [first, ...others] = found
  return first && others.every((other) => other.type === first.type)
    ? { ...bare(first), name }
    : { name, type: undefined }
}

/** Returns the part of a column that a view keeps. A join may make any column nullable. */
function bare({ name, type, typeName, values }: ColumnDefinition): ColumnDefinition {
  return { name, type, typeName, values, isRequired: false }
}

function isSame(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase()
}

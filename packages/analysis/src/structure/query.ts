import type { Span } from './syntax-tree.ts'
import type { ColumnCast, StructureRelation } from './sql-structure.ts'

/** A column of a relation, where a query reads it. */
export interface RootRead {
  readonly relation: StructureRelation
  readonly column: string
  readonly span: Span
}

/** A column of a query. */
export interface QueryColumn {
  /** Empty for an expression without a name. */
  readonly name: string
  readonly span: Span
  readonly kind: 'direct' | 'cast' | 'expression'
  readonly sources: readonly RootRead[]
  readonly isSourceComplete: boolean
  readonly casts: readonly ColumnCast[]
  readonly isFromStar: boolean
}

/** A `*` over a relation whose columns are not known. */
export interface OpenStar {
  readonly relation: StructureRelation
  /** The excluded names, in lower case. */
  readonly without: ReadonlySet<string>
  readonly span: Span
}

/** The columns that a query gives. */
export interface Query {
  readonly columns: readonly QueryColumn[]
  readonly open: readonly OpenStar[]
  /** True if its open stars belong to the branches of a union, so a column comes from all of them. */
  readonly isUnion: boolean
  /** Reasons why it may have other columns, besides open stars. */
  readonly gaps: readonly string[]
  /** The `*` over relations that its columns come through. */
  readonly stars: readonly Span[]
  /** The relation whose columns it gives, if all of them are known: any other name is missing there. */
  readonly base?: StructureRelation
}

export const NOTHING: Query = { columns: [], open: [], isUnion: false, gaps: [], stars: [] }

/** Creates a column that is an expression of others. */
export interface Value {
  readonly kind: QueryColumn['kind']
  readonly sources: readonly RootRead[]
  readonly isSourceComplete: boolean
  readonly casts: readonly ColumnCast[]
}

/** Creates the value of an expression other than a cast. */
export function expressionOf(parts: readonly Value[]): Value {
  return {
    kind: 'expression',
    sources: withoutTwins(parts.flatMap(({ sources }) => sources)),
    isSourceComplete: parts.every(({ isSourceComplete }) => isSourceComplete),
    casts: [],
  }
}

export const UNRESOLVED: Value = { kind: 'expression', sources: [], isSourceComplete: false, casts: [] }

export function withoutTwins(reads: readonly RootRead[]): readonly RootRead[] {
  if (reads.length < 2) return reads
  const seen = new Map<string, RootRead>()
  for (const read of reads) {
    const key = `${keyOf(read.relation)} ${read.column.toLowerCase()} ${read.span.start}`
    if (!seen.has(key)) seen.set(key, read)
  }
  return [...seen.values()]
}

/** Returns a key of a relation; models that share a name differ by their path. */
function keyOf(relation: StructureRelation): string {
  if (relation.kind === 'source') return `source ${relation.source}.${relation.table}`
  return relation.kind === 'model' ? `model ${relation.model.path}` : `other ${relation.name}`
}

/**
 * Finds a column of a query by name; through an open star, that of its relation. Undefined if it is missing or
 * uncertain.
 */
export function columnOf(query: Query, name: string, span: Span): Value | undefined {
  const wanted = name.toLowerCase()
  const named = query.columns.filter((column) => column.name.toLowerCase() === wanted)
  const [first, ...others] = named
  if (first) return others.length === 0 ? first : expressionOf(named)
  const open = query.open.filter(({ without }) => !without.has(wanted))
  if (open.length === 0 || !hasKnownOrigins({ ...query, open })) return undefined
  return {
    kind: 'direct',
    sources: open.map(({ relation }) => ({ relation, column: name, span })),
    isSourceComplete: true,
    casts: [],
  }
}

/** Returns true if it is certain which relation a column comes from that only an open star gives. */
export function hasKnownOrigins({ gaps, isUnion, open }: Pick<Query, 'gaps' | 'isUnion' | 'open'>): boolean {
  return gaps.length === 0 && (open.length === 1 || isUnion)
}

/** Returns a name that the query's relation lacks, as a column of that relation; undefined if that is uncertain. */
export function lackingColumn({ base }: Query, name: string, span: Span): Value | undefined {
  if (!base || NOT_COLUMNS.test(name)) return undefined
  return {
    kind: 'direct',
    sources: [{ relation: base, column: name, span }],
    isSourceComplete: true,
    casts: [],
  }
}

/**
 * Words that the parser reads as columns: parts of dates, functions without parentheses, columns that every table
 * has.
 */
const NOT_COLUMNS =
  /^(?:(?:iso)?(?:year|quarter|month|week|day|hour|minute|second)s?|(?:day|week)_?of_?\w+|decade|century|epoch|dow|doy|(?:milli|micro|nano)seconds?|current_\w+|local\w+|sysdate|session_user|user|rowid|rownum|ctid|oid|xmin|_table_suffix|_partition\w+|_file\w*|metadata\$\w+|value|default|\$.*)$/i

/** Returns true if a query has a column of that name. */
export function hasColumn(query: Query, name: string): 'yes' | 'no' | 'maybe' {
  const wanted = name.toLowerCase()
  if (query.columns.some((column) => column.name.toLowerCase() === wanted)) return 'yes'
  const isOpen =
    query.open.length > 0 || query.gaps.length > 0 || query.columns.some((column) => column.name === '')
  return isOpen ? 'maybe' : 'no'
}

/** Returns the columns of a union: the names of the first branch with the values of both. */
export function unite(left: Query, right: Query, isByName: boolean): Query {
  const isOpen = left.open.length + right.open.length > 0
  const partner = (column: QueryColumn, index: number): QueryColumn | undefined =>
    isByName || isOpen
      ? right.columns.find(({ name }) => name.toLowerCase() === column.name.toLowerCase())
      : right.columns[index]
  const columns = left.columns.map((column, index) => {
    const other = partner(column, index)
    const isSame =
      other !== undefined &&
      other.kind === column.kind &&
      other.casts.length === 0 &&
      column.casts.length === 0
    const value = other ? expressionOf([column, other]) : { ...column, isSourceComplete: false }
    return { ...column, ...value, ...(isSame && { kind: column.kind }) }
  })
  const extra = isByName
    ? right.columns.filter(({ name }) => !left.columns.some((one) => one.name === name))
    : []
  return {
    columns: [...columns, ...extra],
    open: [...left.open, ...right.open],
    isUnion: true,
    gaps: [...new Set([...left.gaps, ...right.gaps])],
    stars: [...left.stars, ...right.stars],
  }
}

/** Two columns that a query requires to be equal. */
export interface RootJoin {
  readonly left: RootRead
  readonly right: RootRead
}

export interface ResolveOptions {
  readonly sql: string
  /**
   * The relation that a name of the renderer stands for, or a dotted name of the warehouse.
   *
   * @param written The dotted name. @default it is not searched for
   */
  readonly relationOf: (name: string, written?: string) => StructureRelation | undefined
  /** Returns the name of a relation in the warehouse, in lower case; undefined if unknown. */
  readonly nameOf: (relation: StructureRelation) => string | undefined
  /** Returns the column names of a relation; undefined if unknown. */
  readonly columnsOf: (relation: StructureRelation) => readonly string[] | undefined
  /** Prints a type of a cast. */
  readonly printType: (type: unknown) => string
  /** Descriptions of unknown parts of the SQL. */
  readonly unknowns: readonly string[]
}

/** The columns and reads of a query. */
export interface Resolved {
  readonly query: Query
  readonly reads: readonly RootRead[]
  /** The columns that a `*` leaves out. */
  readonly excluded: readonly RootRead[]
  /** Names of columns whose relation is not known. */
  readonly unresolved: readonly string[]
  readonly joins: readonly RootJoin[]
}

/** Returns the reason why the columns of a query other than a select are not known. */
export function gapOf(kind: string): string {
  return kind === 'values' ? 'values have no names' : `${kind} is not analyzed`
}

import { hasColumn, type RootJoin, type RootRead, type Value } from './query.ts'
import { lookUpColumn, NOWHERE, type Scope, type Visible } from './scope.ts'
import { isTree, listAt, nameOf, spanOf, type Tree, unwrap } from './syntax-tree.ts'

/** A join and its visible relations. */
export interface JoinedPart {
  readonly start: number
  readonly end: number
  readonly clause: Tree
}

/**
 * Returns the columns that the joins and the `where` of a query require to be equal, each unchanged or cast.
 * Equalities in one branch of an `or`, or about one row, are left out.
 */
export function readJoins(parts: readonly JoinedPart[], where: unknown, scope: Scope): readonly RootJoin[] {
  const conditions = [...parts.map(({ clause }) => clause['on']), isTree(where) ? where['this'] : undefined]
  return [
    ...conditions.flatMap(equalities).flatMap((sides) => readEquality(sides, scope)),
    ...parts
      .flatMap((part) => sharedColumns(part, scope))
      .flatMap(({ left, right, written }) => pairOf(left, right, written)),
  ]
}

/** Returns the equalities that must all hold, in any order. */
function equalities(condition: unknown): readonly Tree[] {
  const found: Tree[] = []
  const open: unknown[] = [condition]
  while (open.length > 0) {
    const [kind, data] = unwrap(open.pop())
    if (kind === 'and') open.push(data['left'], data['right'])
    else if (kind === 'eq') found.push(data)
  }
  return found
}

function readEquality(sides: Tree, scope: Scope): readonly RootJoin[] {
  const [left, right] = [writtenColumn(sides['left']), writtenColumn(sides['right'])]
  if (!left || !right) return []
  const isAlone = scope.visible.length < 2 && (scope.parent?.visible.length ?? 0) === 0
  if (isAlone || (left.table !== undefined && left.table.toLowerCase() === right.table?.toLowerCase()))
    return []
  return pairOf(lookUpColumn(left, scope), lookUpColumn(right, scope), left)
}

/** A column that both sides of a join have, and that the join requires to be equal. */
export interface SharedColumn {
  readonly written: Written
  readonly left: Value
  readonly right: Value
}

/** Returns the columns that `using (a)` or `natural` names, as both sides have them. */
export function sharedColumns({ clause, end, start }: JoinedPart, scope: Scope): readonly SharedColumn[] {
  const [before, after] = [scope.visible.slice(0, start), scope.visible.slice(start, end)]
  const among = (visible: readonly Visible[], written: Written): Value =>
    lookUpColumn(written, { ...scope, visible, aliases: new Map(), parent: undefined })
  const named = listAt(clause, 'using').flatMap((one): readonly Written[] => {
    const name = nameOf(one)
    return name === undefined ? [] : [{ table: undefined, name, span: spanOf(one) ?? NOWHERE }]
  })
  const isNatural = String(clause['kind']).toLowerCase().startsWith('natural')
  const common = isNatural
    ? namesOf(before)
        .filter((name) => after.some(({ query }) => hasColumn(query, name) === 'yes'))
        .map((name): Written => ({ table: undefined, name, span: NOWHERE }))
    : []
  return [...named, ...common].map((written) => ({
    written,
    left: among(before, written),
    right: among(after, written),
  }))
}

function namesOf(visible: readonly Visible[]): readonly string[] {
  return [...new Set(visible.flatMap(({ query }) => query.columns.map(({ name }) => name)))]
}

type Written = Parameters<typeof lookUpColumn>[0]

/** Returns the column of an expression, unchanged or cast. */
function writtenColumn(node: unknown): Written | undefined {
  const [kind, data] = unwrap(node)
  if (kind === 'cast' || kind === 'try_cast' || kind === 'safe_cast') return writtenColumn(data['this'])
  const name = kind === 'column' ? nameOf(data['name']) : undefined
  if (name === undefined) return undefined
  return { table: nameOf(data['table']), name, span: spanOf(data['name']) ?? NOWHERE }
}

function pairOf(left: Value, right: Value, { span }: Pick<Written, 'span'>): readonly RootJoin[] {
  const [a, b] = [onlyColumn(left), onlyColumn(right)]
  return a && b ? [{ left: { ...a, span }, right: { ...b, span } }] : []
}

function onlyColumn({ isSourceComplete, kind, sources }: Value): RootRead | undefined {
  const [only, ...others] = sources
  return kind !== 'expression' && isSourceComplete && others.length === 0 ? only : undefined
}

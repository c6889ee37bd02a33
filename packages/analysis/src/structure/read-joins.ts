import type { RootJoin, RootRead, Value } from './query.ts'
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
    ...parts.flatMap((part) => readUsing(part, scope)),
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

/** `using (a)` names a column on both sides. */
function readUsing({ clause, end, start }: JoinedPart, scope: Scope): readonly RootJoin[] {
  return listAt(clause, 'using').flatMap((one) => {
    const name = nameOf(one)
    if (name === undefined) return []
    const column = { table: undefined, name, span: spanOf(one) ?? NOWHERE }
    const among = (visible: readonly Visible[]): Value =>
      lookUpColumn(column, { ...scope, visible, aliases: new Map(), parent: undefined })
    return pairOf(among(scope.visible.slice(0, start)), among(scope.visible.slice(start, end)), column)
  })
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

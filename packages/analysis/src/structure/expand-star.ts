import { NOTHING, type Query, type Value } from './query.ts'
import { NOWHERE, renamesOf, type Visible } from './scope.ts'
import { isTree, listAt, nameOf, type Span, type Tree } from './syntax-tree.ts'

export interface StarOptions {
  /** The relations whose columns it gives. */
  readonly chosen: readonly Visible[]
  /** The values that `replace` gives, by name in lower case. */
  readonly replaced: ReadonlyMap<string, Value>
  readonly span: Span
}

/** Returns the columns of a `*`, without those it excludes. */
export function expandStar(data: Tree, { chosen, replaced, span }: StarOptions): Query {
  const without = new Set(
    [...listAt(data, 'except'), ...listAt(data, 'exclude')].flatMap(
      (one) => nameOf(one)?.toLowerCase() ?? [],
    ),
  )
  const renames = renamesOf(data)
  const columns = chosen
    .flatMap(({ query }) => query.columns)
    .filter(({ name }) => !without.has(name.toLowerCase()))
    .map((column) => ({
      ...column,
      ...replaced.get(column.name.toLowerCase()),
      isFromStar: true,
      span: column.span === NOWHERE ? span : column.span,
      name: renames.get(column.name.toLowerCase()) ?? column.name,
    }))
  return {
    ...NOTHING,
    columns,
    open: chosen.flatMap(({ query }) =>
      query.open.map((one) => ({
        ...one,
        without: new Set([...one.without, ...without]),
        span: one.span === NOWHERE ? span : one.span,
      })),
    ),
    gaps: [
      ...chosen.flatMap(({ query }) => query.gaps),
      ...(isTree(data['rename']) && renames.size === 0 ? ['a * renames'] : []),
    ],
    stars: chosen.flatMap(({ query }) => query.stars.map((star) => (star === NOWHERE ? span : star))),
  }
}

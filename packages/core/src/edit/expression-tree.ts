/** An expression as we read it, the same for all dialects. */
export type ExpressionTree =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'constant'; readonly value: 'null' | 'true' | 'false' }
  /** `date '2020-01-01'`, `interval 1 day`; an interval may be of a column. */
  | { readonly kind: 'typed'; readonly type: string; readonly operand: ExpressionTree }
  /** A bare date part, or the words that a cast or a path is made of. */
  | { readonly kind: 'part'; readonly value: string }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly ExpressionTree[] }
  | {
      readonly kind: 'cast'
      readonly operand: ExpressionTree
      readonly type: string
      /** True if values that cannot be converted become null. */
      readonly tries: boolean
      /** The number of a format of T-SQL's `convert`. */
      readonly style?: number
    }
  | {
      readonly kind: 'case'
      readonly branches: readonly ExpressionBranch[]
      readonly otherwise: ExpressionTree | undefined
    }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: ExpressionTree
      readonly right: ExpressionTree
    }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | 'not'; readonly operand: ExpressionTree }
  /** `is null`, `in`, `like`, `between`: the first operand is the tested one. */
  | {
      readonly kind: 'test'
      readonly operator: string
      readonly isNegated: boolean
      readonly operands: readonly [ExpressionTree, ...ExpressionTree[]]
    }
  | { readonly kind: 'zone'; readonly operand: ExpressionTree; readonly zone: string }
  /** A step into a document, list or record. */
  | {
      readonly kind: 'path'
      readonly operand: ExpressionTree
      /** The name or the index of the part. */
      readonly key: string
      readonly isText: boolean
    }

/** A branch of a `case`; one with an operand reads as `operand = value`. */
export interface ExpressionBranch {
  readonly condition: ExpressionTree
  readonly result: ExpressionTree
}

/** Returns the parts of an expression in written order. */
export function partsOf(tree: ExpressionTree): readonly ExpressionTree[] {
  if (tree.kind === 'call' || tree.kind === 'test') {
    return tree.operands
  }
  if (tree.kind === 'binary') {
    return [tree.left, tree.right]
  }
  if (tree.kind === 'case') {
    return [
      ...tree.branches.flatMap(({ condition, result }) => [condition, result]),
      ...(tree.otherwise ? [tree.otherwise] : []),
    ]
  }
  if (
    tree.kind === 'typed' ||
    tree.kind === 'cast' ||
    tree.kind === 'unary' ||
    tree.kind === 'zone' ||
    tree.kind === 'path'
  ) {
    return [tree.operand]
  }
  return []
}

/** Returns an expression and all its parts. */
export function withParts(tree: ExpressionTree): readonly ExpressionTree[] {
  return [tree, ...partsOf(tree).flatMap(withParts)]
}

/** Returns the columns that an expression reads, with repetitions. */
export function columnsRead(tree: ExpressionTree): readonly string[] {
  return withParts(tree).flatMap((part) => (part.kind === 'column' ? [part.name] : []))
}

/** Returns true if an expression has the same value for every row. */
export function isConstant(tree: ExpressionTree): boolean {
  return columnsRead(tree).length === 0
}

export function isNull(tree: ExpressionTree): boolean {
  return tree.kind === 'constant' ? tree.value === 'null' : tree.kind === 'cast' && isNull(tree.operand)
}

/** Returns true if two expressions are written the same. */
export function isSame(one: ExpressionTree, other: ExpressionTree): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

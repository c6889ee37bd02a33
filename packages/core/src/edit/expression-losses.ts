import { resultsOfBranches } from './expression-family.ts'
import { type Loss, lossOf } from './expression-traits.ts'
import { columnsRead, type ExpressionTree, isConstant, partsOf } from './expression-tree.ts'

/** Returns the losses of an expression against its column. Trimmed blanks do not count. */
export function lossesOf(tree: ExpressionTree, own: string): ReadonlySet<Loss> {
  const others = columnsRead(tree).some((name) => name !== own)
  return new Set([...ownLosses(tree), ...(others ? (['others'] as const) : [])])
}

/** Only operations between the column and the result count: an adjacent constant loses nothing. */
function ownLosses(tree: ExpressionTree): readonly Loss[] {
  if (isConstant(tree) || tree.kind === 'column') return []
  return [...ofNode(tree), ...partsOf(tree).flatMap((part) => ownLosses(part))]
}

function ofNode(tree: ExpressionTree): readonly Loss[] {
  if (tree.kind === 'call') {
    return ofCall(tree)
  }
  if (tree.kind === 'cast') {
    return [
      ...(NARROW.test(tree.type) ? (['rounding'] as const) : []),
      ...(tree.tries ? (['nulls'] as const) : []),
    ]
  }
  if (tree.kind === 'path') {
    return ['part']
  }
  if (tree.kind === 'case' || tree.kind === 'test') {
    return ['category']
  }
  if (tree.kind === 'binary') {
    return /^(?:[-+*/]|\|\|)$/.test(tree.operator) ? [] : ['category']
  }
  return []
}

function ofCall({ name, operands }: ExpressionTree & { readonly kind: 'call' }): readonly Loss[] {
  const isChoice = /^(?:if|iff|iif|multiif|decode|nvl2)$/i.test(name)
  if (isChoice && resultsOfBranches(name, operands).length > 0) return ['category']
  const loss = lossOf(name)
  return loss === undefined ? [] : [loss]
}

/** Types that are narrower than most values cast to them. */
const NARROW =
  /^(?:nullable\()?(?:date|time|u?int|integer|bigint|smallint|tinyint|byteint|signed|unsigned|number\(\d+, ?0\)|number$|float4|float32|real|bool)/i

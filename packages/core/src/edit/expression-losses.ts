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
    return [...ofType(tree.type), ...(tree.tries ? (['nulls'] as const) : [])]
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
  const divisor = operands[1]
  const isSafe = /^(?:safe_divide|try_divide|div0|div0null)$/i.test(name) && divisor?.kind === 'number'
  // without its tables of zones, MySQL knows no zone by its name
  const isNamed = operands.some((one) => one.kind === 'text' && /[a-z]/i.test(one.value))
  if (/^convert_tz$/i.test(name)) return isNamed ? ['nulls'] : []
  const loss = isSafe && Number(divisor.value) !== 0 ? undefined : lossOf(name)
  return loss === undefined ? [] : [loss]
}

function ofType(type: string): readonly Loss[] {
  if (/^(?:nullable\()?date(?!time)/i.test(type)) return ['clock']
  if (/^(?:nullable\()?time(?!stamp)/i.test(type)) return ['day']
  return NARROW.test(type) ? ['rounding'] : []
}

/** Types that are narrower than most values cast to them. */
const NARROW =
  /^(?:nullable\()?(?:u?int|integer|bigint|smallint|tinyint|byteint|signed|unsigned|number\(\d+, ?0\)|number$|float4|float32|real|bool)/i

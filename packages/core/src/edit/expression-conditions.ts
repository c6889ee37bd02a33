import { signedNumber } from './expression-erasures.ts'
import { type ExpressionTree, isConstant, isNull, isSame } from './expression-tree.ts'

const TESTS_NOTHING = 'conditions that read the column and can be both true and false'

/** Finds conditions that are constant, or that compare a value with itself. */
export function conditionFault(tree: ExpressionTree): string | undefined {
  if (isConstant(tree)) return TESTS_NOTHING
  if (tree.kind === 'unary') return conditionFault(tree.operand)
  if (tree.kind === 'test') {
    const [, ...others] = tree.operands
    return others.some(isNull) || others.some(matchesAll) ? TESTS_NOTHING : undefined
  }
  if (tree.kind !== 'binary') return undefined
  const { left, operator, right } = tree
  if (isSame(left, right) || isNull(left) || isNull(right) || isOpposite(left, right)) return TESTS_NOTHING
  if (holdsAlways(left, operator, right)) return TESTS_NOTHING
  return operator === 'and' || operator === 'or' ? (conditionFault(left) ?? conditionFault(right)) : undefined
}

/** Returns true if every text matches a pattern of `like` or a regular expression. */
function matchesAll(pattern: ExpressionTree): boolean {
  return pattern.kind === 'text' && /^(?:%+|\^?\.\*\$?)$/.test(pattern.value)
}

/** Lengths and absolute values are never negative, so `length(x) >= 0` is always true, and `< 0` never. */
function holdsAlways(left: ExpressionTree, operator: string, right: ExpressionTree): boolean {
  if (isConstant(left) && !isConstant(right)) return holdsAlways(right, TURNED[operator] ?? operator, left)
  const limit = signedNumber(right)
  if (left.kind === 'call' && limit !== undefined && NEVER_NEGATIVE.test(left.name)) {
    return operator === '>=' || operator === '<' ? limit <= 0 : limit < 0
  }
  return right.kind === 'text' && right.value === '' && (operator === '>=' || operator === '<')
}

const TURNED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }
const NEVER_NEGATIVE =
  /^(?:len|length|char_length|character_length|octet_length|lengthutf8|datalength|abs|strpos|instr|position|locate|charindex|cardinality|size|array_size|array_length)$/i

function isOpposite(left: ExpressionTree, right: ExpressionTree): boolean {
  if (left.kind === 'unary' && left.operator === 'not') return isSame(left.operand, right)
  if (right.kind === 'unary' && right.operator === 'not') return isSame(right.operand, left)
  if (left.kind !== 'test' || right.kind !== 'test') return isOppositeComparison(left, right)
  return left.isNegated !== right.isNegated && isSame({ ...left, isNegated: right.isNegated }, right)
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '=': '<>',
  '<>': '=',
  '!=': '=',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
}

function isOppositeComparison(left: ExpressionTree, right: ExpressionTree): boolean {
  if (left.kind !== 'binary' || right.kind !== 'binary') return false
  const operator = right.operator === '!=' ? '<>' : right.operator
  return (
    OPPOSITES[left.operator] === operator && isSame(left.left, right.left) && isSame(left.right, right.right)
  )
}

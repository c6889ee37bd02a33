import { signedNumber } from './expression-erasures.ts'
import { type ExpressionTree, isConstant } from './expression-tree.ts'

/**
 * The characters of a text that an expression takes, counted from 1. `last` is infinite if it takes the rest
 * of the text.
 */
interface Slice {
  readonly first: number
  readonly last: number
}

/**
 * Returns true if expressions take different pieces of one column, as in `upper(left(c, 1)) ||
 * lower(substr(c, 2))`: together, they distinguish its values.
 */
export function areSlices(parts: readonly ExpressionTree[], own: string): boolean {
  const slices = parts.map((part) => sliceOf(part, own))
  return slices.every(
    (slice, index) =>
      slice !== undefined &&
      slices
        .slice(index + 1)
        .every((other) => other && (other.first > slice.last || other.last < slice.first)),
  )
}

/** Calls that only change the spelling of a piece. */
const SPELLED = /^(?:lower|upper|initcap|lowerutf8|upperutf8|trim|ltrim|rtrim|btrim)$/i

function sliceOf(tree: ExpressionTree, own: string): Slice | undefined {
  if (tree.kind !== 'call') return undefined
  const name = tree.name.toLowerCase()
  const [text, ...rest] = tree.operands
  if (text && rest.length === 0 && SPELLED.test(name)) return sliceOf(text, own)
  if (!text || !rest.every(isConstant) || !isWhole(text, own)) return undefined
  const [one, two] = rest.map(signedNumber)
  if (one === undefined || one < 1 || (rest.length > 1 && (two === undefined || two < 1))) return undefined
  if (name === 'left' && rest.length === 1) return { first: 1, last: one }
  // counted from the end, which no other piece may reach
  if (name === 'right' && rest.length === 1) return { first: FAR - one, last: FAR }
  if (/^(?:substr|substring|substringutf8|mid)$/.test(name) && rest.length <= 2)
    return { first: one, last: two === undefined ? Infinity : one + two - 1 }
  return undefined
}

const FAR = 1_000_000

/** The column, or the column in another spelling. */
function isWhole(tree: ExpressionTree, own: string): boolean {
  if (tree.kind === 'column') return tree.name === own
  if (tree.kind === 'cast') return isWhole(tree.operand, own)
  if (tree.kind !== 'call' || tree.operands.length !== 1 || !SPELLED.test(tree.name)) return false
  return tree.operands.every((operand) => isWhole(operand, own))
}

import { type ExpressionTree, isConstant } from './expression-tree.ts'

/** Returns true if the other operand erases a value: times zero, modulo one. */
export function takesAway(part: ExpressionTree, operator: string): boolean {
  const number = part.kind === 'number' ? Number(part.value) : undefined
  if (number === 0) return operator === '*' || operator === '/' || operator === '%'
  if (number === 1) return operator === '%'
  return isConstant(part) && operator === '*' && isComputed(part)
}

/** A computed constant may have any value. */
function isComputed(part: ExpressionTree): boolean {
  if (part.kind === 'binary')
    return /[-%/]/.test(part.operator) || isComputed(part.left) || isComputed(part.right)
  return part.kind === 'call'
}

/** Returns true if the constants of a call erase every value. */
export function erases(name: string, values: readonly ExpressionTree[]): boolean {
  const numbers = values.slice(1).map(signedNumber)
  // a computed constant may be zero: left(x, 1 - 1)
  if (/^(?:left|right|repeat)$/.test(name) && values[1] && isConstant(values[1]) && numbers[0] === undefined)
    return true
  if (/^(?:left|right|lpad|rpad|leftpad|rightpad|leftpadutf8|rightpadutf8)$/.test(name))
    return numbers[0] !== undefined && numbers[0] <= 0
  if (/^(?:substr|substring|substringutf8|mid)$/.test(name)) {
    const [start, length] = numbers
    return (length !== undefined && length <= 0) || (start !== undefined && Math.abs(start) > FARTHEST)
  }
  if (/^(?:split_part|substring_index)$/.test(name))
    return numbers[1] !== undefined && (numbers[1] === 0 || Math.abs(numbers[1]) > FARTHEST)
  if (/^(?:round|trunc|truncate)$/.test(name)) return numbers[0] !== undefined && numbers[0] < -6
  if (/^(?:stuff|insert|overlay)$/.test(name)) {
    const [start, length] = numbers
    return start === undefined || length === undefined || (start <= 1 && length > MOST_OVERWRITTEN)
  }
  if (/^(?:pow|power)$/.test(name)) return numbers[0] === 0 || ['0', '1'].includes(numberText(values[0]))
  if (/^(?:regexp_replace|replaceregexpall)$/.test(name)) return replacesAll(values)
  if (/^(?:trim|ltrim|rtrim|btrim|translate)$/.test(name)) return hasManyLetters(values[1])
  return false
}

function numberText(tree: ExpressionTree | undefined): string {
  return tree?.kind === 'number' ? String(Number(tree.value)) : ''
}

/** Longer than most texts of a column. */
const FARTHEST = 255

/** Overwriting more characters than this leaves nothing of most values. */
const MOST_OVERWRITTEN = 20

export function signedNumber(tree: ExpressionTree): number | undefined {
  if (tree.kind === 'number') return Number(tree.value)
  const isNegative = tree.kind === 'unary' && tree.operator === '-' && tree.operand.kind === 'number'
  return isNegative ? -Number(tree.operand.kind === 'number' ? tree.operand.value : 0) : undefined
}

/** Texts with little in common. A pattern that reduces all of them to the same result keeps nothing. */
const SAMPLES = ['ada@example.com', 'Grace Hopper', '2024-01-31', '42', '+49 (30) 123-456']

/** Returns true if a pattern matches whole values and the replacement keeps none of their parts. */
function replacesAll([, pattern, replacement]: readonly ExpressionTree[]): boolean {
  if (pattern?.kind !== 'text') return true
  if (replacement !== undefined && replacement.kind !== 'text') return true
  const target = replacement?.value ?? ''
  if (/[\\$]+[0-9&]/.test(target)) return false
  try {
    const expression = new RegExp(pattern.value.replaceAll('\\\\', '\\'), 'gs')
    return new Set(SAMPLES.map((sample) => sample.replaceAll(expression, () => target))).size < 3
  } catch {
    return false // a pattern that only the warehouse's engine reads
  }
}

function hasManyLetters(characters: ExpressionTree | undefined): boolean {
  if (characters && !isConstant(characters)) return true // trim(x, x)
  return (
    characters?.kind === 'text' && new Set(characters.value.toLowerCase().replace(/[^a-z]/g, '')).size > 12
  )
}

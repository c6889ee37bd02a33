// Values that stand for no value, and values that become null.
import type { Family } from '@stagecraft/dialects'
import type { ConvertedValue } from './converted-value.ts'
import { choiceOf } from './expression-flow.ts'
import { carriersOf } from './expression-parts.ts'
import { type ExpressionBranch, type ExpressionTree, isConstant } from './expression-tree.ts'
import { tryOn } from './trial.ts'
import { NULL, type TrialValue } from './trial-value.ts'
import { constantsOf, saysMissing } from './value-mappings.ts'
import * as names from './value-names.ts'

const EXPECTED =
  'values of the column; one becomes null only if it says that nothing is known, or the comment says so'

/** Returns the reason why a value that looks like a real one becomes null, or another one. */
export function sentinelFault(value: ConvertedValue): string | undefined {
  const { column, raw, tree } = value
  if (names.saysNothing(raw)) return undefined
  const replaced = carriersOf(tree).flatMap((part) => {
    if (part.kind !== 'call' || !/^(?:nullif|nullifzero)$/i.test(part.name)) return []
    const [own, sentinel = ZERO] = part.operands
    return own && readsOwn(own, column) && isConstant(sentinel) ? sentinel : []
  })
  const areFounded = replaced.every((sentinel) => isNoValue(sentinel, value))
  return areFounded && !dropsValues(value) ? undefined : EXPECTED
}

/** Whole numbers that stand for no value: -1, -99, -999. */
const SENTINELS = /^-(?:1|9+)$/

const ZERO: ExpressionTree = { kind: 'number', value: '0' }

/** Returns true if a constant says that there is no value. */
function isNoValue(sentinel: ExpressionTree, converted: ConvertedValue): boolean {
  const { column, dialect, from } = converted
  const value = tryOn(sentinel, { column, value: NULL, dialect })
  const isUsual = from === 'integer' && value.kind === 'number' && SENTINELS.test(String(value.value))
  return isUsual || saysNothingKnown(value) || isStatedValue(value, converted)
}

const NUMBERS: ReadonlySet<Family> = new Set<Family>(['integer', 'decimal', 'float'])

/**
 * Returns true if a choice keeps some values, and turns others into constants. A choice that guards a conversion turns
 * only those into null that cannot be converted.
 */
function dropsValues(value: ConvertedValue): boolean {
  const { from, to, tree } = value
  const isSameKind = from === to || (NUMBERS.has(from) && NUMBERS.has(to))
  return isSameKind && to !== 'boolean' && carriersOf(tree).some((part) => isDrop(part, value))
}

function isDrop(part: ExpressionTree, value: ConvertedValue): boolean {
  const choice =
    part.kind === 'case' ? part : part.kind === 'call' && choiceOf(part.name.toLowerCase(), part.operands)
  if (!choice) return false
  const { branches, otherwise } = choice
  const kept = branches.filter(({ result }) => readsOwn(result, value.column))
  const isRestKept = otherwise !== undefined && readsOwn(otherwise, value.column)
  if (kept.length === 0 && !isRestKept) return false
  const isLost = branches.some((branch) => isConstant(branch.result) && !isFounded(branch, value))
  const areOthersLost = !isRestKept && !kept.every(({ condition }) => isPresent(condition, value))
  return isLost || areOthersLost
}

/** Returns true if a branch replaces only null, or values that say that there is none. A code has a meaning. */
function isFounded({ condition, result }: ExpressionBranch, value: ConvertedValue): boolean {
  if (isNullTest(condition, false)) return true
  if (condition.kind === 'binary' && /^(?:or|and)$/.test(condition.operator))
    return [condition.left, condition.right].every((part) => isFounded({ condition: part, result }, value))
  const codes = constantsOf(condition, value.column)
  if (!codes) return false
  return codes.every((code) => isNoValue(code, value)) || result.kind === 'text'
}

/** Returns true if a condition is false only for null, or for values that say that there is none. */
function isPresent(condition: ExpressionTree, value: ConvertedValue): boolean {
  if (isNullTest(condition, true)) return true
  if (condition.kind === 'binary' && condition.operator === 'and')
    return isPresent(condition.left, value) && isPresent(condition.right, value)
  const isOther = condition.kind === 'binary' && /^(?:<>|!=)$/.test(condition.operator)
  const isOutside = condition.kind === 'test' && condition.operator === 'in' && condition.isNegated
  if (!isOther && !isOutside) return false
  const operands = condition.kind === 'binary' ? [condition.left, condition.right] : condition.operands
  return operands.filter(isConstant).every((code) => isNoValue(code, value))
}

function isNullTest(condition: ExpressionTree, isNegated: boolean): boolean {
  return condition.kind === 'test' && condition.operator === 'is null' && condition.isNegated === isNegated
}

/** Returns true if a value goes into a result. */
export function readsOwn(tree: ExpressionTree, own: string): boolean {
  return carriersOf(tree).some((part) => part.kind === 'column' && part.name === own)
}

/** Returns true if a value is null, a text that means null, or not known here. */
export function saysNothingKnown(value: TrialValue): boolean {
  if (value.kind === 'null' || value.kind === 'unknown') return true
  return value.kind === 'text' && saysMissing(value.value)
}

/** Returns true if a comment says a value, a number with its sign: `-999 = unknown` says nothing of 999. */
export function isStatedValue(
  value: TrialValue,
  { comment, said }: Pick<ConvertedValue, 'comment' | 'said'>,
): boolean {
  if (value.kind !== 'text' && value.kind !== 'number') return false
  const written = String(value.value).toLowerCase()
  if (written === '0' && comment.includes('zero')) return true
  const [, sign = '', digits] = /^(-?)(\d+(?:\.\d+)?)$/.exec(written) ?? []
  if (digits === undefined) return comment.includes(written)
  // a hyphen after a letter or a digit joins: `0-999`
  return [...said.matchAll(SIGNED)].some(
    ([, minus, number]) => number === digits && (minus !== undefined) === (sign !== ''),
  )
}

const SIGNED = /(?<![\p{L}\p{N}.])(?:([-−–]|minus )\s?)?(?<![\p{L}\p{N}])(\d+(?:\.\d+)?)(?![\p{L}\p{N}])/giu

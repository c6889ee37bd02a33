import { lossesOf } from './expression-losses.ts'
import { flowOf } from './expression-traits.ts'
import {
  columnsRead,
  type ExpressionBranch,
  type ExpressionTree,
  isConstant,
  isNull,
  isSame,
} from './expression-tree.ts'

const READS_OTHERS = 'an expression that makes its value of its own column, not of constants or other columns'
const CANCELS = 'an expression in which the value of its column is not lost, as in x - x, x * 0 or left(x, 0)'
const TESTS_NOTHING = 'conditions that read the column and can be both true and false'
const MIXES = 'other columns only beside the whole value of its own, or where that is null'

/** Says why the value of a column does not come through an expression; undefined when it does. */
export function flowFault(tree: ExpressionTree, own: string): string | undefined {
  if (!columnsRead(tree).includes(own)) return READS_OTHERS
  return new FlowReader(own).carries(tree)
}

/**
 * Follows the value of a column through an expression. What it cannot follow it takes for lost: a person who
 * means it says so in the configuration.
 */
class FlowReader {
  readonly #own: string

  constructor(own: string) {
    this.#own = own
  }

  /** Says why the value does not come through; undefined when it does. */
  carries(tree: ExpressionTree): string | undefined {
    if (tree.kind === 'column') {
      return tree.name === this.#own ? undefined : READS_OTHERS
    }
    if (tree.kind === 'cast' || tree.kind === 'zone' || tree.kind === 'path') {
      return this.carries(tree.operand)
    }
    if (tree.kind === 'typed') {
      return this.carries(tree.operand)
    }
    if (tree.kind === 'unary') {
      return tree.operator === 'not' ? this.tests(tree.operand) : this.carries(tree.operand)
    }
    if (tree.kind === 'test') {
      return this.tests(tree)
    }
    if (tree.kind === 'case') {
      return this.#choice(tree.branches, tree.otherwise)
    }
    if (tree.kind === 'binary') {
      return /^(?:[-+*/%]|\|\|)$/.test(tree.operator)
        ? this.#joined([tree.left, tree.right], tree.operator)
        : this.tests(tree)
    }
    if (tree.kind === 'call') {
      return this.#called(tree)
    }
    return READS_OTHERS
  }

  /** Says why a condition does not tell the values of the column apart. */
  tests(tree: ExpressionTree): string | undefined {
    const fault = conditionFault(tree)
    if (fault !== undefined) return fault
    return this.#reads(tree) ? undefined : READS_OTHERS
  }

  #reads(tree: ExpressionTree): boolean {
    return columnsRead(tree).includes(this.#own)
  }

  #readsOthers(tree: ExpressionTree): boolean {
    return columnsRead(tree).some((name) => name !== this.#own)
  }

  /** Sums, products and joined texts: one part carries the value, and no other takes it away. */
  #joined(parts: readonly ExpressionTree[], operator = ''): string | undefined {
    const own = parts.filter((part) => this.#reads(part))
    const [carrier] = own
    if (!carrier) return READS_OTHERS
    if (own.length > 1 || parts.some(isNull)) return CANCELS
    if (parts.some((part) => part !== carrier && takesAway(part, operator))) return CANCELS
    const hasOthers = parts.some((part) => part !== carrier && this.#readsOthers(part))
    if (hasOthers && !this.#isWhole(carrier)) return MIXES
    return this.carries(carrier)
  }

  /** Returns true if only the spelling of the value is lost, so that text beside it does not replace it. */
  #isWhole(tree: ExpressionTree): boolean {
    return [...lossesOf(tree, this.#own)].every((loss) => WHOLE.has(loss))
  }

  #called({ name, operands }: ExpressionTree & { readonly kind: 'call' }): string | undefined {
    const lower = name.toLowerCase()
    const choice = choiceOf(lower, operands)
    if (choice) return this.#choice(choice.branches, choice.otherwise)
    const values = operands.filter((operand) => operand.kind !== 'part')
    if (values.some((value) => isNull(value) && lower !== 'coalesce')) return CANCELS
    if (flowOf(lower) === 'any') {
      return this.#joined(values)
    }
    if (flowOf(lower) === 'first') {
      return this.#filled(values)
    }
    if (flowOf(lower) === 'alone') {
      return this.#alone(lower, values)
    }
    return this.#one(lower, values)
  }

  /** The value comes first; the others replace a null. */
  #filled(values: readonly ExpressionTree[]): string | undefined {
    const [first, ...rest] = values
    if (!first) return READS_OTHERS
    if (rest.some((value) => this.#readsOthers(value)) && !this.#isWhole(first)) return MIXES
    return this.carries(first)
  }

  #alone(name: string, values: readonly ExpressionTree[]): string | undefined {
    const carriers = values.filter((value) => !isConstant(value))
    const [carrier] = carriers
    if (!carrier) return READS_OTHERS
    // The ends and numbers of a split may be counted from the same column.
    const isCounted = !/^(?:nullif|greatest|least|replace|regexp_replace|replace\w+|translate)$/.test(name)
    if (carriers.length > 1 && !(isCounted && carriers.every((value) => !this.#readsOthers(value))))
      return READS_OTHERS
    if (erases(name, values)) return CANCELS
    return this.carries(carrier)
  }

  #one(name: string, values: readonly ExpressionTree[]): string | undefined {
    const carriers = values.filter((value) => !isConstant(value))
    const [carrier, ...rest] = carriers
    if (!carrier) return READS_OTHERS
    if (rest.some((value) => this.#readsOthers(value))) return READS_OTHERS
    if (erases(name, values)) return CANCELS
    return this.carries(carrier)
  }

  #choice(branches: readonly ExpressionBranch[], otherwise: ExpressionTree | undefined): string | undefined {
    const conditions = branches.map(({ condition }) => condition)
    const fault = conditions.map(conditionFault).find((found) => found !== undefined)
    if (fault !== undefined) return fault
    const last: readonly ExpressionBranch[] = otherwise
      ? [{ condition: otherwiseOf(conditions), result: otherwise }]
      : []
    const all = [...branches, ...last]
    const carriers = all.filter((branch) => this.#isCarriedIn(branch))
    const foreign = all.filter(
      ({ condition, result }) =>
        !isConstant(result) && this.carries(result) !== undefined && !this.#isMissing(condition),
    )
    if (foreign.length > 0) return READS_OTHERS
    const readOwn = conditions.every((condition) => this.#reads(condition))
    if (carriers.length > 0) return readOwn || carriers.length === all.length ? undefined : MIXES
    if (!readOwn) return READS_OTHERS
    if (all.some(({ result }) => !isConstant(result))) return CANCELS
    return this.#isMapping(all, otherwise) ? undefined : CANCELS
  }

  /** Returns true if constants in place of values tell at least two of them apart. */
  #isMapping(all: readonly ExpressionBranch[], otherwise: ExpressionTree | undefined): boolean {
    const results = new Set(all.map(({ result }) => JSON.stringify(result)))
    return results.size + (otherwise ? 0 : 1) > 1 && all.some(({ result }) => !isNull(result))
  }

  /** Returns true if a branch gives the value, and does not apply only to null or a single value. */
  #isCarriedIn({ condition, result }: ExpressionBranch): boolean {
    return this.carries(result) === undefined && !this.#isMissing(condition)
  }

  /** `x is null`, `x = ''`, `x in ('', 'n/a')`: nothing is lost when something else stands there. */
  #isMissing(condition: ExpressionTree): boolean {
    if (condition.kind === 'test') {
      const { isNegated, operands, operator } = condition
      const isNothing = operator === 'is null' || operator === 'in'
      return isNothing && !isNegated && this.carries(operands[0]) === undefined
    }
    if (condition.kind !== 'binary') return false
    const { left, operator, right } = condition
    if (operator === 'or') return this.#isMissing(left) && this.#isMissing(right)
    if (operator === 'and') return this.#isMissing(left) || this.#isMissing(right)
    if (operator !== '=') return false
    return (
      (isConstant(right) && this.carries(left) === undefined) ||
      (isConstant(left) && this.carries(right) === undefined)
    )
  }
}

/** Losses that leave a value recognisable. */
const WHOLE: ReadonlySet<string> = new Set(['spelling', 'rounding', 'others', 'category'])

/**
 * Returns the condition of the else branch: the opposite of `x is not null`; other conditions do not matter.
 */
function otherwiseOf(conditions: readonly ExpressionTree[]): ExpressionTree {
  const present = conditions.find(
    (condition) => condition.kind === 'test' && condition.operator === 'is null' && condition.isNegated,
  )
  return present?.kind === 'test' ? { ...present, isNegated: false } : { kind: 'constant', value: 'true' }
}

/** Conditions that are constant, or compare a thing with itself. */
function conditionFault(tree: ExpressionTree): string | undefined {
  if (isConstant(tree)) return TESTS_NOTHING
  if (tree.kind === 'unary') return conditionFault(tree.operand)
  if (tree.kind === 'test') {
    const [, ...others] = tree.operands
    return others.some(isNull) || others.some(matchesAll) ? TESTS_NOTHING : undefined
  }
  if (tree.kind !== 'binary') return undefined
  const { left, operator, right } = tree
  if (isSame(left, right) || isNull(left) || isNull(right) || isOpposite(left, right)) return TESTS_NOTHING
  return operator === 'and' || operator === 'or' ? (conditionFault(left) ?? conditionFault(right)) : undefined
}

/** A pattern of `like` or a regular expression that every text fits. */
function matchesAll(pattern: ExpressionTree): boolean {
  return pattern.kind === 'text' && /^(?:%+|\^?\.\*\$?)$/.test(pattern.value)
}

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

/** Returns true if the other operand erases a value: times zero, modulo one. */
function takesAway(part: ExpressionTree, operator: string): boolean {
  const number = part.kind === 'number' ? Number(part.value) : undefined
  if (number === 0) return operator === '*' || operator === '/' || operator === '%'
  if (number === 1) return operator === '%'
  return isConstant(part) && operator === '*' && isComputed(part)
}

/** A constant that is calculated may come to anything. */
function isComputed(part: ExpressionTree): boolean {
  if (part.kind === 'binary')
    return /[-%/]/.test(part.operator) || isComputed(part.left) || isComputed(part.right)
  return part.kind === 'call'
}

/** Returns true if the constants of a call erase every value. */
function erases(name: string, values: readonly ExpressionTree[]): boolean {
  const numbers = values.slice(1).map(signedNumber)
  if (/^(?:left|right|lpad|rpad|leftpad|rightpad|leftpadutf8|rightpadutf8)$/.test(name))
    return numbers[0] !== undefined && numbers[0] <= 0
  if (/^(?:substr|substring|substringutf8|mid)$/.test(name)) {
    const [start, length] = numbers
    return (length !== undefined && length <= 0) || (start !== undefined && Math.abs(start) > FARTHEST)
  }
  if (/^(?:split_part|substring_index)$/.test(name))
    return numbers[1] !== undefined && (numbers[1] === 0 || Math.abs(numbers[1]) > FARTHEST)
  if (/^(?:round|trunc|truncate)$/.test(name)) return numbers[0] !== undefined && numbers[0] < -6
  if (/^(?:pow|power)$/.test(name)) return numbers[0] === 0
  if (/^(?:regexp_replace|replaceregexpall)$/.test(name)) return replacesAll(values)
  if (/^(?:trim|ltrim|rtrim|btrim|translate)$/.test(name)) return hasManyLetters(values[1])
  return false
}

/** Farther than texts of a column usually reach. */
const FARTHEST = 255

function signedNumber(tree: ExpressionTree): number | undefined {
  if (tree.kind === 'number') return Number(tree.value)
  const isNegative = tree.kind === 'unary' && tree.operator === '-' && tree.operand.kind === 'number'
  return isNegative ? -Number(tree.operand.kind === 'number' ? tree.operand.value : 0) : undefined
}

/** Texts that have little in common; a pattern that leaves the same of each of them keeps nothing. */
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
  return (
    characters?.kind === 'text' && new Set(characters.value.toLowerCase().replace(/[^a-z]/g, '')).size > 12
  )
}

interface Choice {
  readonly branches: readonly ExpressionBranch[]
  readonly otherwise: ExpressionTree | undefined
}

/** Functions that choose, as the `case` that they stand for. */
function choiceOf(name: string, operands: readonly ExpressionTree[]): Choice | undefined {
  const [first, second, third] = operands
  if (/^(?:if|iff|iif)$/.test(name) && first && second)
    return { branches: [{ condition: first, result: second }], otherwise: third }
  if (name === 'nvl2' && first && second) {
    const condition = { kind: 'test', operator: 'is null', isNegated: true, operands: [first] } as const
    return { branches: [{ condition, result: second }], otherwise: third }
  }
  if (name === 'multiif') return chosen(operands, (condition) => condition)
  if (name !== 'decode' || !first) return undefined
  return chosen(operands.slice(1), (value) =>
    isNull(value)
      ? { kind: 'test', operator: 'is null', isNegated: false, operands: [first] }
      : { kind: 'binary', operator: '=', left: first, right: value },
  )
}

function chosen(
  operands: readonly ExpressionTree[],
  conditionOf: (operand: ExpressionTree) => ExpressionTree,
): Choice {
  const branches: ExpressionBranch[] = []
  for (let at = 0; at + 1 < operands.length; at += 2) {
    const [value, result] = [operands[at], operands[at + 1]]
    if (value && result) branches.push({ condition: conditionOf(value), result })
  }
  return { branches, otherwise: operands.length % 2 === 1 ? operands.at(-1) : undefined }
}

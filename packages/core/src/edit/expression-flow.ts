import { conditionFault } from './expression-conditions.ts'
import { erases, takesAway } from './expression-erasures.ts'
import { lossesOf } from './expression-losses.ts'
import { areSlices } from './expression-slices.ts'
import { flowOf } from './expression-traits.ts'
import {
  columnsRead,
  type ExpressionBranch,
  type ExpressionTree,
  isConstant,
  isNull,
} from './expression-tree.ts'

const READS_OTHERS =
  'an expression that computes its value from its own column, not from constants or other columns'
const CANCELS = 'an expression that keeps the value of its column, unlike x - x, x * 0 or left(x, 0)'
const MIXES = 'other columns only next to the whole value of its own column, or where that is null'

/** Returns the reason why an expression loses the value of its column; undefined if it keeps it. */
export function flowFault(tree: ExpressionTree, own: string): string | undefined {
  if (!columnsRead(tree).includes(own)) return READS_OTHERS
  return new FlowReader(own).carries(tree)
}

/**
 * Follows the value of a column through an expression. A value that it cannot follow counts as lost; the user can
 * allow it in the configuration.
 */
class FlowReader {
  readonly #own: string

  constructor(own: string) {
    this.#own = own
  }

  /** Returns the reason why the value is lost; undefined if it is kept. */
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
        ? this.#joined(chainOf(tree, tree.operator), tree.operator)
        : this.tests(tree)
    }
    if (tree.kind === 'call') {
      return this.#called(tree)
    }
    return READS_OTHERS
  }

  /** Returns the reason why a condition does not distinguish values of the column. */
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

  /** Sums, products and concatenations: one part carries the value, and no other part cancels it. */
  #joined(parts: readonly ExpressionTree[], operator = ''): string | undefined {
    const own = parts.filter((part) => this.#reads(part))
    const [carrier] = own
    if (!carrier) return READS_OTHERS
    if (own.length > 1 && /^(?:\+|\|\|)?$/.test(operator) && areSlices(own, this.#own))
      return parts.some((part) => isNull(part) || this.#readsOthers(part)) ? MIXES : undefined
    if (own.length > 1 || parts.some(isNull)) return CANCELS
    if (parts.some((part) => part !== carrier && takesAway(part, operator))) return CANCELS
    const hasOthers = parts.some((part) => part !== carrier && this.#readsOthers(part))
    if (hasOthers && !this.#isWhole(carrier)) return MIXES
    return this.carries(carrier)
  }

  /** Returns true if only the spelling of the value is lost, so that adjacent text does not replace it. */
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
      return erases(lower, values) ? CANCELS : this.#joined(values)
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

  /** Returns true if at least two values become different constants. */
  #isMapping(all: readonly ExpressionBranch[], otherwise: ExpressionTree | undefined): boolean {
    const results = new Set(all.map(({ result }) => JSON.stringify(result)))
    return results.size + (otherwise ? 0 : 1) > 1 && all.some(({ result }) => !isNull(result))
  }

  /** Returns true if a branch returns the value, and applies to more than null or a single value. */
  #isCarriedIn({ condition, result }: ExpressionBranch): boolean {
    return this.carries(result) === undefined && !this.#isMissing(condition)
  }

  /** `x is null`, `x = ''`, `x in ('', 'n/a')`: replacing these values loses nothing. */
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

/** The parts of `a || b || c`. */
function chainOf(tree: ExpressionTree, operator: string): readonly ExpressionTree[] {
  if (tree.kind !== 'binary' || tree.operator !== operator) return [tree]
  if (operator !== '||' && operator !== '+') return [tree.left, tree.right]
  return [...chainOf(tree.left, operator), ...chainOf(tree.right, operator)]
}

/** Losses that leave a value recognizable. */
const WHOLE: ReadonlySet<string> = new Set([
  'case',
  'spelling',
  'rounding',
  'clock',
  'zone',
  'others',
  'filled',
  'category',
  'unlisted',
])

/**
 * Returns the condition of the else branch: the opposite of `x is not null`; other conditions do not matter.
 */
function otherwiseOf(conditions: readonly ExpressionTree[]): ExpressionTree {
  const present = conditions.find(
    (condition) => condition.kind === 'test' && condition.operator === 'is null' && condition.isNegated,
  )
  return present?.kind === 'test' ? { ...present, isNegated: false } : { kind: 'constant', value: 'true' }
}

interface Choice {
  readonly branches: readonly ExpressionBranch[]
  readonly otherwise: ExpressionTree | undefined
}

/**
 * Returns the `case` that is equivalent to a function such as `if` or `decode`; undefined for other
 * functions.
 */
export function choiceOf(name: string, operands: readonly ExpressionTree[]): Choice | undefined {
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

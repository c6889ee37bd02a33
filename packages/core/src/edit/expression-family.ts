import type { Family, FunctionRules } from '@stagecraft/dialects'
import { parseType } from '../sql/types.ts'
import type { ExpressionTree } from './expression-tree.ts'
import type { ExpressionColumn, ExpressionVocabulary } from './expression-vocabulary.ts'

type Call = ExpressionTree & { readonly kind: 'call' }
type Binary = ExpressionTree & { readonly kind: 'binary' }

/** From the narrowest to the widest. */
const NUMBERS: readonly Family[] = ['integer', 'decimal', 'float']
const TIMES: ReadonlySet<Family> = new Set<Family>(['date', 'time', 'timestamp_ntz', 'timestamp_tz'])

function isNumber(family: Family | undefined): boolean {
  return family !== undefined && NUMBERS.includes(family)
}

/** Returns the family of an expression; undefined if it depends on the data, as in a document. */
export function familyOf(
  tree: ExpressionTree,
  columns: readonly ExpressionColumn[],
  vocabulary: ExpressionVocabulary,
): Family | undefined {
  return new FamilyReader(columns, vocabulary).read(tree)
}

class FamilyReader {
  readonly #columns: readonly ExpressionColumn[]
  readonly #vocabulary: ExpressionVocabulary

  constructor(columns: readonly ExpressionColumn[], vocabulary: ExpressionVocabulary) {
    this.#columns = columns
    this.#vocabulary = vocabulary
  }

  read(tree: ExpressionTree): Family | undefined {
    if (tree.kind === 'column') {
      return this.#columns.find(({ name }) => name === tree.name)?.family
    }
    if (tree.kind === 'text') {
      return 'string'
    }
    if (tree.kind === 'number') {
      return /^\d+$/.test(tree.value) ? 'integer' : this.#rules.numbers.literal
    }
    if (tree.kind === 'constant') {
      return tree.value === 'null' ? undefined : 'boolean'
    }
    if (tree.kind === 'typed') {
      return TYPED[tree.type]
    }
    if (tree.kind === 'cast') {
      return parseType(tree.type, this.#vocabulary.dialect).family
    }
    if (tree.kind === 'case') {
      return this.#widest([
        ...tree.branches.map(({ result }) => result),
        ...(tree.otherwise ? [tree.otherwise] : []),
      ])
    }
    if (tree.kind === 'unary') {
      return tree.operator === 'not' ? 'boolean' : this.read(tree.operand)
    }
    if (tree.kind === 'test') {
      return 'boolean'
    }
    if (tree.kind === 'zone') {
      return this.#shifted(this.read(tree.operand))
    }
    if (tree.kind === 'path') {
      return this.#stepped(tree)
    }
    if (tree.kind === 'binary') {
      return this.#combined(tree)
    }
    if (tree.kind === 'call') {
      return this.#called(tree)
    }
    return undefined
  }

  get #rules(): FunctionRules {
    return this.#vocabulary.dialect.functions
  }

  /**
   * `at time zone` adds a zone to a timestamp without one, and removes it from one with a zone; T-SQL always adds
   * one.
   */
  #shifted(family: Family | undefined): Family | undefined {
    return family === 'timestamp_tz' ? this.#rules.zoneOfZoned : 'timestamp_tz'
  }

  /** A path with a colon or an arrow stays in the document. */
  #stepped({ isText, operand }: ExpressionTree & { readonly kind: 'path' }): Family | undefined {
    if (isText) return 'string'
    const from = this.read(operand)
    return from && this.#rules.pathResults[from]
  }

  #combined({ left, operator, right }: Binary): Family | undefined {
    if (operator === '||') return 'string'
    if (!/^[-+*/%]$/.test(operator)) return 'boolean'
    const families = [this.read(left), this.read(right)] as const
    if (families.some((family) => family !== undefined && TIMES.has(family)))
      return this.#moved(operator, families)
    return this.#calculated(operator, families)
  }

  #calculated(operator: string, families: readonly (Family | undefined)[]): Family | undefined {
    const widest = widestNumber(families)
    if (operator !== '/' || widest === undefined) return widest
    if (widest === 'integer') return this.#rules.numbers.division
    return widest === 'decimal' ? this.#rules.numbers.decimalDivision : 'float'
  }

  /** A timestamp plus an interval is a timestamp. The family of a difference depends on the warehouse. */
  #moved(operator: string, families: readonly (Family | undefined)[]): Family | undefined {
    const [left, right] = families
    const other = left !== undefined && TIMES.has(left) ? right : left
    const moment = other === right ? left : right
    if (other !== undefined && TIMES.has(other)) return undefined
    if (operator !== '+' && operator !== '-') return undefined
    return moment === 'date' && other === 'interval' ? this.#rules.dateAndInterval : moment
  }

  #called({ name, operands }: Call): Family | undefined {
    if (name.toLowerCase() === 'extract' && operands[0]?.kind === 'part') return this.#rules.extract
    const result = this.#vocabulary.resultOf(name)
    if (result === 'first') {
      return operands[0] && this.read(operands[0])
    }
    if (result === 'common') {
      return this.#widest(operands)
    }
    if (result === 'branches') {
      return this.#widest(resultsOfBranches(name, operands))
    }
    if (result === 'moment') {
      return operands.map((operand) => this.read(operand)).find((family) => family && TIMES.has(family))
    }
    if (result === 'open') {
      return undefined
    }
    return result
  }

  /** Returns the common family, for numbers the widest. */
  #widest(trees: readonly ExpressionTree[]): Family | undefined {
    const families = trees.flatMap((tree) => (isNullTree(tree) ? [] : [this.read(tree)]))
    const [first, ...rest] = families
    if (rest.every((family) => family === first)) return first
    return families.every(isNumber) ? widestNumber(families) : undefined
  }
}

const TYPED: Readonly<Record<string, Family>> = {
  date: 'date',
  time: 'time',
  timestamp: 'timestamp_ntz',
  datetime: 'timestamp_ntz',
  interval: 'interval',
}

function isNullTree(tree: ExpressionTree): boolean {
  return tree.kind === 'constant' && tree.value === 'null'
}

function widestNumber(families: readonly (Family | undefined)[]): Family | undefined {
  if (!families.every(isNumber)) return undefined
  return NUMBERS[Math.max(...families.map((family) => NUMBERS.indexOf(family ?? 'integer')))]
}

/** Returns the arguments of `if`, `nvl2` and `decode` that may become the result. */
export function resultsOfBranches(
  name: string,
  operands: readonly ExpressionTree[],
): readonly ExpressionTree[] {
  const [, ...rest] = operands
  const lower = name.toLowerCase()
  if (lower === 'decode') return rest.filter((_, index) => index % 2 === 1 || index === rest.length - 1)
  if (lower === 'multiif')
    return operands.filter((_, index) => index % 2 === 1 || index === operands.length - 1)
  return rest
}

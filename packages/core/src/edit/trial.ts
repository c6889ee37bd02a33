import type { Dialect, Family } from '@stagecraft/dialects'
import { parseType } from '../sql/types.ts'
import { choiceOf } from './expression-flow.ts'
import type { ExpressionBranch, ExpressionTree } from './expression-tree.ts'
import { areEqual, callOn, shift, textOf } from './trial-calls.ts'
import {
  moment,
  NULL,
  number,
  numberOf,
  text,
  truth,
  truthOf,
  type TrialValue,
  UNKNOWN,
} from './trial-value.ts'

type Cast = ExpressionTree & { readonly kind: 'cast' }
type Binary = ExpressionTree & { readonly kind: 'binary' }
type Test = ExpressionTree & { readonly kind: 'test' }
type Call = ExpressionTree & { readonly kind: 'call' }

/** A sample in place of the column. */
export interface Sample {
  readonly column: string
  readonly value: TrialValue
  readonly dialect: Dialect
}

/**
 * Returns the value of an expression for a sample of its column. The value of parts that depend on other columns, or on
 * unsupported functions, is unknown.
 */
export function tryOn(tree: ExpressionTree, sample: Sample): TrialValue {
  return new Trial(sample).read(tree)
}

class Trial {
  readonly #sample: Sample

  constructor(sample: Sample) {
    this.#sample = sample
  }

  read(tree: ExpressionTree): TrialValue {
    if (tree.kind === 'column') {
      return tree.name === this.#sample.column ? this.#sample.value : UNKNOWN
    }
    if (tree.kind === 'text') return text(tree.value)
    if (tree.kind === 'number') return number(Number(tree.value), /^\d+$/.test(tree.value))
    if (tree.kind === 'constant') return tree.value === 'null' ? NULL : truth(tree.value === 'true')
    if (tree.kind === 'typed') return this.#typed(tree.type, this.read(tree.operand))
    if (tree.kind === 'cast') return this.#cast(tree)
    if (tree.kind === 'case') return this.#choice(tree.branches, tree.otherwise)
    if (tree.kind === 'unary') return this.#signed(tree.operator, this.read(tree.operand))
    if (tree.kind === 'test') return this.#test(tree)
    if (tree.kind === 'binary') return this.#combined(tree)
    if (tree.kind === 'call') return this.#called(tree)
    return UNKNOWN
  }

  #typed(type: string, value: TrialValue): TrialValue {
    if (type !== 'interval') return fromEpochText(value)
    const count = textOf(value)
    const match = /^\s*(-?\d+(?:\.\d+)?)\s*(millisecond|second|minute|hour|day)s?\s*$/i.exec(count ?? '')
    const unit = SECONDS[match?.[2]?.toLowerCase() ?? '']
    return match && unit !== undefined ? { kind: 'span', seconds: Number(match[1]) * unit } : UNKNOWN
  }

  #cast({ operand, tries, type }: Cast): TrialValue {
    const value = this.read(operand)
    if (value.kind === 'null' || value.kind === 'unknown') return value
    const { dialect } = this.#sample
    const { family } = parseType(type, dialect)
    const cast = castTo(value, { family, type, dialect })
    return cast.kind === 'unknown' && tries ? NULL : cast
  }

  #signed(operator: '-' | '+' | 'not', value: TrialValue): TrialValue {
    if (value.kind === 'null') return NULL
    if (operator === 'not') {
      const known = truthOf(value)
      return known === undefined ? UNKNOWN : truth(!known)
    }
    const known = numberOf(value)
    return known === undefined ? UNKNOWN : number(operator === '-' ? -known : known)
  }

  #test({ isNegated, operands: [first, ...others], operator }: Test): TrialValue {
    const value = this.read(first)
    const found = this.#isFound(operator, value, others)
    if (found === undefined) return value.kind === 'null' ? NULL : UNKNOWN
    return truth(found !== isNegated)
  }

  #isFound(operator: string, value: TrialValue, others: readonly ExpressionTree[]): boolean | undefined {
    if (value.kind === 'unknown') return undefined
    if (operator === 'is null') return value.kind === 'null'
    if (operator === 'is true' || operator === 'is false') return truthOf(value) === (operator === 'is true')
    if (operator !== 'in' || value.kind === 'null') return undefined
    const equal = new Set(others.map((other) => areEqual(value, this.read(other))))
    if (equal.has(true)) return true
    return equal.has(undefined) ? undefined : false
  }

  #combined({ left, operator, right }: Binary): TrialValue {
    const [one, other] = [this.read(left), this.read(right)]
    if (operator === 'and' || operator === 'or') return joined(operator, truthOf(one), truthOf(other))
    if (one.kind === 'unknown' || other.kind === 'unknown') return UNKNOWN
    if (one.kind === 'null' || other.kind === 'null') return NULL
    if (operator === '||') return concatenated(one, other)
    if (/^[-+*/%]$/.test(operator)) return this.#calculated(operator, one, other)
    return compared(operator, one, other)
  }

  #calculated(operator: string, one: TrialValue, other: TrialValue): TrialValue {
    const [left, right] = [inSeconds(one), inSeconds(other)]
    if (left !== undefined || right !== undefined) return moved(operator, one, other)
    const [a, b] = [numberOf(one), numberOf(other)]
    if (a === undefined || b === undefined) return UNKNOWN
    const areWhole = isWhole(one) && isWhole(other)
    if (operator === '+') return number(a + b, areWhole)
    if (operator === '-') return number(a - b, areWhole)
    if (operator === '*') return number(a * b, areWhole)
    if (operator === '%') return number(a % b, areWhole)
    const cuts = areWhole && this.#sample.dialect.functions.numbers.division === 'integer'
    return number(cuts ? Math.trunc(a / b) : a / b, cuts)
  }

  #called({ name, operands }: Call): TrialValue {
    const lower = name.toLowerCase()
    const choice = choiceOf(lower, operands)
    if (choice) return this.#choice(choice.branches, choice.otherwise)
    const values = operands.map((operand) =>
      operand.kind === 'part' ? text(operand.value) : this.read(operand),
    )
    return callOn(lower, values) ?? this.#converted(lower, values) ?? UNKNOWN
  }

  /** Functions that convert as a cast does: `toInt32(x)`, `to_decimal(x, 18, 2)`, `to_timestamp(x, 3)`. */
  #converted(name: string, values: readonly TrialValue[]): TrialValue | undefined {
    const [value = UNKNOWN, ...rest] = values
    const [digits = 0, places] = rest.map((one) => numberOf(one) ?? 0)
    const { dialect } = this.#sample
    const target = /^to(u?int\d+|float\d+|decimal\d+)(?:ornull|orzero)?$/.exec(name)?.[1]
    if (target) return castTo(value, { ...typeOf(target, digits), dialect })
    if (/^(?:try_)?to_(?:number|decimal|numeric)$/.test(name))
      return castTo(value, { family: 'decimal', type: `decimal(38, ${places ?? 0})`, dialect })
    if (rest.some((one) => one.kind === 'text' && one.value === 'unixepoch')) return this.#epoch(value, [])
    if (name.startsWith('to_timestamp') && value.kind === 'number') return this.#epoch(value, rest)
    return /^(?:dateadd|date_add|timestampadd)$/.test(name) ? added(values) : undefined
  }

  #epoch(value: TrialValue, [digits]: readonly TrialValue[]): TrialValue {
    const count = numberOf(value)
    if (value.kind === 'null' || count === undefined) return value.kind === 'null' ? NULL : UNKNOWN
    const places = digits && numberOf(digits)
    return moment(places === undefined ? count : count / 10 ** places)
  }

  #choice(branches: readonly ExpressionBranch[], otherwise: ExpressionTree | undefined): TrialValue {
    for (const { condition, result } of branches) {
      const value = this.read(condition)
      if (value.kind === 'unknown') return UNKNOWN
      if (truthOf(value) === true) return this.read(result)
    }
    return otherwise ? this.read(otherwise) : NULL
  }
}

const SECONDS: Readonly<Record<string, number>> = {
  microsecond: 1e-6,
  us: 1e-6,
  mcs: 1e-6,
  millisecond: 1e-3,
  ms: 1e-3,
  second: 1,
  ss: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
}

interface CastTarget {
  readonly family: Family
  readonly type: string
  readonly dialect: Dialect
}

function typeOf(target: string, digits: number): Pick<CastTarget, 'family' | 'type'> {
  if (target.startsWith('decimal')) return { family: 'decimal', type: `decimal(38, ${digits})` }
  return { family: target.startsWith('float') ? 'float' : 'integer', type: target }
}

function castTo(value: TrialValue, target: CastTarget): TrialValue {
  const { dialect, family, type } = target
  if (value.kind === 'null') return NULL
  if (family === 'string') return asText(value)
  if (family === 'boolean') {
    const known = truthOf(value)
    return known === undefined ? UNKNOWN : truth(known)
  }
  if (family === 'date' && value.kind === 'moment')
    return moment(Math.floor(value.seconds / SECONDS_OF_DAY) * SECONDS_OF_DAY)
  if (family.startsWith('timestamp')) return value.kind === 'moment' ? value : fromEpochText(value)
  const known = numberOf(value)
  if (known === undefined) return UNKNOWN
  if (family === 'integer') return asInteger(known, type, dialect)
  if (family === 'decimal') return asDecimal(known, type, dialect)
  return family === 'float' ? asFloat(known, type, dialect) : UNKNOWN
}

const SECONDS_OF_DAY = 86_400

function asText(value: TrialValue): TrialValue {
  if (value.kind === 'truth') return text(String(value.value))
  const known = textOf(value)
  return known === undefined ? UNKNOWN : text(known)
}

/** A value that is too large becomes unknown. */
function asInteger(value: number, type: string, dialect: Dialect): TrialValue {
  const { arguments: given, base } = parseType(type, dialect)
  const { ranges, scaleZeroIsInteger } = dialect.types
  const isWide = scaleZeroIsInteger || /huge|128|256|bignum|varint/.test(base)
  const largest = ranges.largest[base] ?? (isWide ? 10 ** (given[0] ?? 38) : 2 ** 63)
  return value > largest ? UNKNOWN : number(Math.round(value), true)
}

function asDecimal(value: number, type: string, dialect: Dialect): TrialValue {
  const { arguments: given, base } = parseType(type, dialect)
  const isSizedByName = /^decimal\d+$/.test(base)
  const scale = isSizedByName ? (given[0] ?? 0) : (given[1] ?? (given.length > 0 ? 0 : undefined))
  const places = scale ?? dialect.types.ranges.scales[base]
  const [precision = 38] = isSizedByName ? [] : given
  if (places === undefined) return number(value, false)
  return Math.abs(value) >= 10 ** (precision - places)
    ? UNKNOWN
    : number(shift(value, places, Math.round), false)
}

function asFloat(value: number, type: string, dialect: Dialect): TrialValue {
  const { base } = parseType(type, dialect)
  return number(dialect.types.ranges.single.includes(base) ? Math.fround(value) : value, false)
}

function isWhole(value: TrialValue): boolean {
  return value.kind === 'truth' || (value.kind === 'number' && value.isWhole)
}

function inSeconds(value: TrialValue): number | undefined {
  return value.kind === 'moment' || value.kind === 'span' ? value.seconds : undefined
}

/** A moment plus a span, or a number of spans. */
function moved(operator: string, one: TrialValue, other: TrialValue): TrialValue {
  const [a, b] = [inSeconds(one), inSeconds(other)]
  if (operator === '*') {
    const factor = numberOf(a === undefined ? one : other)
    const span = a ?? b
    return factor === undefined || span === undefined ? UNKNOWN : { kind: 'span', seconds: factor * span }
  }
  if (a === undefined || b === undefined || (operator !== '+' && operator !== '-')) return UNKNOWN
  const seconds = operator === '+' ? a + b : a - b
  return { kind: one.kind === 'moment' || other.kind === 'moment' ? 'moment' : 'span', seconds }
}

/** `dateadd(second, x, '1970-01-01')`, with the unit as a word or a text. */
function added([unit, count, base]: readonly TrialValue[]): TrialValue {
  const word = unit?.kind === 'text' ? unit.value.toLowerCase() : ''
  const size = SECONDS[word] ?? SECONDS[word.replace(/s$/, '')]
  const factor = count && numberOf(count)
  const start = base && inSeconds(fromEpochText(base))
  return size === undefined || factor === undefined || start === undefined
    ? UNKNOWN
    : moment(start + factor * size)
}

/** The moment of a text that is the start of 1970. Others depend on formats and zones. */
function fromEpochText(value: TrialValue): TrialValue {
  if (value.kind === 'moment') return value
  const isStart =
    value.kind === 'text' && /^(?:epoch|1970-01-01(?:[ T]00:00(?::00(?:\.0+)?)?)?Z?)$/.test(value.value)
  return isStart ? moment(0) : UNKNOWN
}

function concatenated(one: TrialValue, other: TrialValue): TrialValue {
  const texts = [textOf(one), textOf(other)]
  return texts.every((part) => part !== undefined) ? text(texts.join('')) : UNKNOWN
}

function joined(operator: string, one: boolean | undefined, other: boolean | undefined): TrialValue {
  const decides = operator === 'or'
  if (one === decides || other === decides) return truth(decides)
  return one === undefined || other === undefined ? UNKNOWN : truth(!decides)
}

function compared(operator: string, one: TrialValue, other: TrialValue): TrialValue {
  if (operator === '=' || operator === '<>' || operator === '!=') {
    const equal = areEqual(one, other)
    return equal === undefined ? UNKNOWN : truth(equal === (operator === '='))
  }
  const [a, b] = [numberOf(one), numberOf(other)]
  if (a === undefined || b === undefined) return UNKNOWN
  if (operator === '<') return truth(a < b)
  if (operator === '<=') return truth(a <= b)
  if (operator === '>') return truth(a > b)
  return operator === '>=' ? truth(a >= b) : UNKNOWN
}

import { filterNamed, methodOf, testValue } from './methods.ts'
import { combine, itemAt, unary } from './operators.ts'
import type { Arguments, Expression } from './syntax.ts'
import {
  Callable,
  Dict,
  type Given,
  isList,
  isTrue,
  Member,
  print,
  Undefined,
  Unknown,
  Unworkable,
  type Value,
} from './values.ts'

/** The template's services for expressions. */
export interface Surroundings {
  /** Counts a step, and stops the evaluation after too many. */
  readonly step: () => void
  /** Returns the value of a name; `Undefined` if it has none. */
  readonly lookUp: (name: string) => Value
}

/** Evaluates expressions. */
export class Evaluator {
  readonly #surroundings: Surroundings

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  evaluate(expression: Expression): Value {
    this.#surroundings.step()
    if (expression.kind === 'literal') return expression.value
    if (expression.kind === 'name') return this.#surroundings.lookUp(expression.name)
    if (expression.kind === 'list') return expression.items.map((item) => this.evaluate(item))
    if (expression.kind === 'dict')
      return new Dict(expression.entries.map(([key, value]) => [this.evaluate(key), this.evaluate(value)]))
    if (expression.kind === 'member')
      return this.#memberOf(this.evaluate(expression.object), this.evaluate(expression.key))
    if (expression.kind === 'call') return this.#call(expression)
    if (expression.kind === 'choice') return this.#choose(expression)
    if (expression.kind === 'filter') return this.filter(expression, this.evaluate(expression.input))
    if (expression.kind === 'test') return this.#test(expression)
    if (expression.kind === 'unary') return unary(expression.operator, this.evaluate(expression.value))
    return expression.kind === 'binary' ? this.#binary(expression) : this.#slice(expression)
  }

  #memberOf(object: Value, key: Value): Value {
    if (object instanceof Unknown) return object
    if (isList(object) || typeof object === 'string') return itemAt(object, key)
    const name = print(key)
    if (object instanceof Dict) return object.entries.get(key) ?? new Undefined(name)
    if (object instanceof Member) return object.memberOf(name)
    if (object instanceof Callable) return object.members.get(name) ?? new Undefined(name)
    return object instanceof Undefined ? new Undefined(`${object.name}.${name}`) : new Undefined(name)
  }

  #call(expression: Extract<Expression, { kind: 'call' }>): Value {
    const { callee } = expression
    if (callee.kind === 'member') {
      const object = this.evaluate(callee.object)
      const key = this.evaluate(callee.key)
      const method = methodOf(object, print(key))
      const given = this.#given(expression)
      if (method) return unlessUnknown([object, ...given.positional], () => method(object, given))
      return this.#invoke(this.#memberOf(object, key), given)
    }
    return this.#invoke(this.evaluate(callee), this.#given(expression))
  }

  #invoke(callee: Value, given: Given): Value {
    if (callee instanceof Callable) return callee.call(given)
    if (callee instanceof Undefined) return new Unknown(`the macro ${callee.name}`)
    if (callee instanceof Unknown) return callee
    throw new Unworkable('its Jinja calls a value that is not a macro')
  }

  #given({ named, positional }: Arguments): Given {
    return {
      positional: positional.map((value) => this.evaluate(value)),
      named: new Map(named.map(([name, value]) => [name, this.evaluate(value)])),
    }
  }

  /** Applies a filter to a value. */
  filter(expression: Extract<Expression, { kind: 'filter' }>, input: Value): Value {
    const { name } = expression
    const given = this.#given(expression)
    const filter = filterNamed(name)
    if (!filter) return new Unknown(`the filter ${name}`)
    const isForgiving = name === 'default' || name === 'd'
    return isForgiving ? filter(input, given) : unlessUnknown([input], () => filter(input, given))
  }

  #test(expression: Extract<Expression, { kind: 'test' }>): Value {
    const input = this.evaluate(expression.input)
    if (input instanceof Unknown) return input
    return (
      testValue(expression.name, input, this.#given(expression)) ?? new Unknown(`the test ${expression.name}`)
    )
  }

  #choose({ chosen, condition, otherwise }: Extract<Expression, { kind: 'choice' }>): Value {
    const value = this.evaluate(condition)
    if (value instanceof Unknown) return value
    if (isTrue(value)) return this.evaluate(chosen)
    return otherwise ? this.evaluate(otherwise) : new Undefined('if')
  }

  #binary({ left, operator, right }: Extract<Expression, { kind: 'binary' }>): Value {
    const first = this.evaluate(left)
    if (operator === 'and' || operator === 'or') {
      const isDecided = isTrue(first) === (operator === 'or')
      if (!(first instanceof Unknown)) return isDecided ? first : this.evaluate(right)
      const second = this.evaluate(right)
      // One known side may decide: `unknown and false`.
      return !(second instanceof Unknown) && isTrue(second) === (operator === 'or') ? second : first
    }
    return combine(operator, first, this.evaluate(right))
  }

  #slice({ object, start, stop }: Extract<Expression, { kind: 'slice' }>): Value {
    const whole = this.evaluate(object)
    const from = start ? Number(this.evaluate(start)) : 0
    const to = stop ? Number(this.evaluate(stop)) : undefined
    if (isList(whole)) return whole.slice(from, to)
    return typeof whole === 'string' ? whole.slice(from, to) : whole
  }
}

/** The result of an operation on an unknown value is unknown. */
function unlessUnknown(values: readonly Value[], work: () => Value): Value {
  return values.find((value) => value instanceof Unknown) ?? work()
}

import { filterNamed, LONGEST } from './methods.ts'
import type { BinaryOperator } from './syntax.ts'
import {
  isEqual,
  isList,
  isTrue,
  itemsOf,
  print,
  Undefined,
  Unknown,
  unknownIn,
  Unworkable,
  type Value,
} from './values.ts'

export function partOf(value: Value, index: number): Value {
  if (value instanceof Unknown) return value
  return itemsOf(value)?.[index] ?? new Undefined('item')
}

export function itemAt(list: readonly Value[] | string, key: Value): Value {
  if (key instanceof Unknown) return key
  return (typeof key === 'number' ? list.at(key) : undefined) ?? new Undefined(print(key))
}

export function unary(operator: 'not' | '-' | '+', value: Value): Value {
  if (value instanceof Unknown) return value
  if (operator === 'not') return !isTrue(value)
  return operator === '-' ? -Number(value) : Number(value)
}

export function combine(operator: BinaryOperator, left: Value, right: Value): Value {
  if (operator === '~') return join(left, right)
  const unknown = [left, right].find((value) => value instanceof Unknown)
  if (unknown) return unknown
  if (operator === '==' || operator === '!=') return isEqual(left, right) === (operator === '==')
  if (operator === 'in' || operator === 'not in') return contains(right, left, operator === 'in')
  if (operator === '<' || operator === '>' || operator === '<=' || operator === '>=')
    return compare(operator, left, right)
  return operator === '+' ? add(left, right) : calculate(operator, left, right)
}

function join(left: Value, right: Value): Value {
  const text = print(left) + print(right)
  if (text.length > LONGEST) throw new Unworkable('its Jinja builds a text that is too long')
  return text
}

function contains(whole: Value, part: Value, isWanted: boolean): Value {
  if (typeof whole === 'string') return whole.includes(print(part)) === isWanted
  return unknownIn(whole) ?? (itemsOf(whole) ?? []).some((item) => isEqual(item, part)) === isWanted
}

function compare(operator: '<' | '>' | '<=' | '>=', left: Value, right: Value): Value {
  if (typeof left !== typeof right || typeof left === 'object')
    return new Unknown(`the comparison ${operator}`)
  const [a, b] = [left ?? 0, right ?? 0]
  if (operator === '<') return a < b
  if (operator === '>') return a > b
  return operator === '<=' ? a <= b : a >= b
}

function add(left: Value, right: Value): Value {
  if (isList(left) && isList(right)) return [...left, ...right]
  if (typeof left === 'string' || typeof right === 'string') return join(left, right)
  return Number(left) + Number(right)
}

function calculate(operator: BinaryOperator, left: Value, right: Value): Value {
  if (operator === '*' && typeof left === 'string') {
    if (left.length * Number(right) > LONGEST)
      throw new Unworkable('its Jinja builds a text that is too long')
    return left.repeat(Math.max(0, Math.trunc(Number(right)) || 0))
  }
  if (operator === '%' && typeof left === 'string') {
    const values = isList(right) ? right : [right]
    return filterNamed('format')?.(left, { positional: values, named: new Map() }) ?? left
  }
  const [a, b] = [Number(left), Number(right)]
  const results: Partial<Record<BinaryOperator, number>> = {
    '-': a - b,
    '*': a * b,
    '/': a / b,
    '//': Math.floor(a / b),
    '%': ((a % b) + b) % b,
    '**': a ** b,
  }
  return results[operator] ?? new Unknown(`the operator ${operator}`)
}

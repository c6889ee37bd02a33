import { FILTERS, FUNCTIONS } from './functions.ts'
import { isTruthy, type JinjaValue, printJinja, type RenderContext, Unrenderable } from './jinja-value.ts'
import { type Token, tokensOf } from './tokens.ts'

/** A parsed expression, evaluated lazily. */
export type Expression = (context: RenderContext) => JinjaValue

/**
 * Reads an expression of the part of Jinja that profiles and properties use: literals, `env_var`, `var`, `target`,
 * filters, methods of texts, `~`, comparisons, `and`, `or`, `not` and `a if b else c`. Loops, macros and other
 * attributes are not supported.
 *
 * @throws {Unrenderable} For anything else.
 */
export function readExpression(source: string): Expression {
  const reader = new Reader(tokensOf(source))
  const expression = readTernary(reader)
  if (reader.peek()) throw unsupported(reader.peek())
  return expression
}

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead]
  }

  next(): Token {
    const token = this.peek()
    if (!token) throw new Unrenderable('the expression is incomplete')
    this.#at += 1
    return token
  }

  /** Consumes the token if it is the word or operator, and returns true if it was. */
  take(text: string): boolean {
    const token = this.peek()
    const isIt = token !== undefined && token.kind !== 'string' && token.text === text
    if (isIt) this.#at += 1
    return isIt
  }

  expect(text: string): void {
    if (!this.take(text)) throw unsupported(this.peek())
  }
}

function unsupported(token: Token | undefined): Unrenderable {
  const what = token === undefined ? 'its end' : token.kind === 'string' ? 'a text' : token.text
  return new Unrenderable(
    `only env_var, var, target, filters, ~, comparisons and if are supported, not ${what}`,
  )
}

function readTernary(reader: Reader): Expression {
  const value = readBinary(reader, 0)
  if (!reader.take('if')) return value
  const condition = readBinary(reader, 0)
  const other = reader.take('else') ? readTernary(reader) : () => ''
  return (context) => (isTruthy(condition(context)) ? value(context) : other(context))
}

type Binary = (left: Expression, right: Expression) => Expression

const compare =
  (decide: (left: JinjaValue, right: JinjaValue) => boolean): Binary =>
  (left, right) =>
  (context) =>
    decide(left(context), right(context))
const contains = (item: JinjaValue, items: JinjaValue): boolean =>
  Array.isArray(items) ? items.includes(item) : printJinja(items).includes(printJinja(item))

/** Operators by precedence, lowest first. */
const LEVELS: readonly ReadonlyMap<string, Binary>[] = [
  new Map([['or', (left, right) => (context) => either(left(context), () => right(context))]]),
  new Map([['and', (left, right) => (context) => both(left(context), () => right(context))]]),
  new Map([
    ['==', compare((left, right) => left === right)],
    ['!=', compare((left, right) => left !== right)],
    ['in', compare(contains)],
    ['not', compare((item, items) => !contains(item, items))],
  ]),
  new Map([['~', (left, right) => (context) => printJinja(left(context)) + printJinja(right(context))]]),
  new Map([['+', (left, right) => (context) => add(left(context), right(context))]]),
]

function either(left: JinjaValue, right: () => JinjaValue): JinjaValue {
  return isTruthy(left) ? left : right()
}

function both(left: JinjaValue, right: () => JinjaValue): JinjaValue {
  return isTruthy(left) ? right() : left
}

function add(left: JinjaValue, right: JinjaValue): JinjaValue {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left === 'string' && typeof right === 'string') return left + right
  throw new Unrenderable('only two texts or two numbers can be added')
}

function readBinary(reader: Reader, level: number): Expression {
  const operators = LEVELS[level]
  if (!operators) return readUnary(reader)
  let left = readBinary(reader, level + 1)
  for (let make = nextOperator(reader, operators); make; make = nextOperator(reader, operators))
    left = make(left, readBinary(reader, level + 1))
  return left
}

function nextOperator(reader: Reader, operators: ReadonlyMap<string, Binary>): Binary | undefined {
  const token = reader.peek()
  const make = token && token.kind !== 'string' ? operators.get(token.text) : undefined
  if (!make) return undefined
  reader.next()
  if (token?.text === 'not') reader.expect('in')
  return make
}

function readUnary(reader: Reader): Expression {
  if (!reader.take('not')) return readPostfix(reader)
  const value = readBinary(reader, 2)
  return (context) => !isTruthy(value(context))
}

function readPostfix(reader: Reader): Expression {
  let value = readPrimary(reader)
  for (;;) {
    if (reader.take('|')) value = applyFilter(value, reader)
    else if (reader.take('.')) value = readMember(value, reader)
    else if (reader.take('[')) value = readItem(value, reader)
    else return value
  }
}

function applyFilter(value: Expression, reader: Reader): Expression {
  const { text } = reader.next()
  const filter = FILTERS.get(text)
  if (!filter) throw new Unrenderable(`the filter ${text} is not supported`)
  const rest = reader.take('(') ? readList(reader, ')') : []
  return (context) =>
    filter(
      [value, ...rest].map((part) => part(context)),
      context,
    )
}

function readMember(value: Expression, reader: Reader): Expression {
  const { text } = reader.next()
  if (reader.take('(')) {
    const method = FILTERS.get(text)
    if (!method) throw new Unrenderable(`the method ${text} is not supported`)
    const rest = readList(reader, ')')
    return (context) =>
      method(
        [value, ...rest].map((part) => part(context)),
        context,
      )
  }
  return (context) => memberOf(value(context), text)
}

function readItem(value: Expression, reader: Reader): Expression {
  const key = readTernary(reader)
  reader.expect(']')
  return (context) => memberOf(value(context), printJinja(key(context)))
}

function memberOf(value: JinjaValue, key: string): JinjaValue {
  const members =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  const found = members.find(([name]) => name === key)?.[1]
  if (found === undefined) throw new Unrenderable(`${key} is not known here`)
  return found
}

function readList(reader: Reader, closing: ')' | ']'): readonly Expression[] {
  const items: Expression[] = []
  while (!reader.take(closing)) {
    items.push(readTernary(reader))
    if (reader.take(closing)) return items
    reader.expect(',')
  }
  return items
}

/** The global names. */
export const JINJA_CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
])

function readPrimary(reader: Reader): Expression {
  const token = reader.next()
  if (token.kind === 'string') return () => token.text
  if (token.kind === 'number') return () => Number(token.text)
  if (token.kind === 'name') return readName(token, reader)
  if (token.text === '[' || token.text === '(') return readBracket(token.text, reader)
  throw unsupported(token)
}

function readName({ text }: Token, reader: Reader): Expression {
  const constant = JINJA_CONSTANTS.get(text)
  if (constant !== undefined) return () => constant
  const work = FUNCTIONS.get(text)
  if (work && reader.take('(')) {
    const values = readList(reader, ')')
    return (context) =>
      work(
        values.map((value) => value(context)),
        context,
      )
  }
  if (text !== 'target') throw new Unrenderable(`${text} is not supported`)
  return ({ target }) => {
    if (target) return target
    throw new Unrenderable('the target is not known here')
  }
}

function readBracket(opening: '[' | '(', reader: Reader): Expression {
  if (opening === '[') {
    const items = readList(reader, ']')
    return (context) => items.map((item) => item(context))
  }
  const value = readTernary(reader)
  reader.expect(')')
  return value
}

import { JINJA_CONSTANTS, type JinjaToken, tokensOf } from '@stagecraft/dbt'
import {
  type Arguments,
  BINARY_LEVELS,
  type BinaryOperator,
  type Expression,
  type Parameter,
  TemplateFault,
} from './syntax.ts'

/** The deepest nesting of expressions; people do not write deeper ones. */
const DEEPEST = 200

/** Reads the tokens of an expression or a statement from left to right. */
export class ExpressionReader {
  readonly #tokens: readonly JinjaToken[]
  readonly #offset: number
  #at = 0
  #depth = 0

  /** @param offset The offset of the source in the text. */
  constructor(source: string, offset: number) {
    this.#tokens = tokensOf(source)
    this.#offset = offset
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  peek(ahead = 0): JinjaToken | undefined {
    return this.#tokens[this.#at + ahead]
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token !== undefined && token.kind !== 'string' && token.text === text
  }

  take(text: string): boolean {
    const isIt = this.is(text)
    if (isIt) this.#at += 1
    return isIt
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.fault(`expected "${text}"`)
  }

  name(): string {
    const token = this.peek()
    if (token?.kind !== 'name') throw this.fault('expected a name')
    this.#at += 1
    return token.text
  }

  next(): JinjaToken {
    const token = this.peek()
    if (!token) throw this.fault('expected a value')
    this.#at += 1
    return token
  }

  fault(reason: string): TemplateFault {
    const token = this.peek()
    const got = token === undefined ? 'the end' : token.kind === 'string' ? 'a text' : token.text
    const last = this.#tokens.at(-1)
    const offset = this.#offset + (token?.offset ?? last?.offset ?? 0)
    return new TemplateFault(`${reason}, got ${got}`, { isBroken: token === undefined, offset })
  }

  end(): void {
    if (!this.isAtEnd) throw this.fault('expected the end of the expression')
  }

  deeper<Result>(read: () => Result): Result {
    this.#depth += 1
    if (this.#depth > DEEPEST)
      throw new TemplateFault('it is nested too deep', { isBroken: false, offset: this.#offset })
    const result = read()
    this.#depth -= 1
    return result
  }
}

/** Reads `a`, or `a, b`, which is a tuple. */
export function readExpressions(reader: ExpressionReader): Expression {
  const first = readExpression(reader)
  if (!reader.is(',')) return first
  const items = [first]
  while (reader.take(',') && !reader.isAtEnd) items.push(readExpression(reader))
  return { kind: 'list', items }
}

export function readExpression(reader: ExpressionReader): Expression {
  return reader.deeper(() => {
    const chosen = readBinary(reader, 0)
    if (!reader.take('if')) return chosen
    const condition = readBinary(reader, 0)
    const otherwise = reader.take('else') ? readExpression(reader) : undefined
    return { kind: 'choice', condition, chosen, otherwise }
  })
}

/** Reads the items of `for x in items if condition`, where `if` does not belong to the items. */
export function readItems(reader: ExpressionReader): Expression {
  return readBinary(reader, 0)
}

function readBinary(reader: ExpressionReader, level: number): Expression {
  const operators = BINARY_LEVELS[level]
  if (!operators) return readUnary(reader)
  if (level === 2 && reader.take('not'))
    return { kind: 'unary', operator: 'not', value: reader.deeper(() => readBinary(reader, 2)) }
  let left = readBinary(reader, level + 1)
  for (let operator = takeOperator(reader, operators); operator; operator = takeOperator(reader, operators))
    left = { kind: 'binary', operator, left, right: readBinary(reader, level + 1) }
  return left
}

function takeOperator(
  reader: ExpressionReader,
  operators: readonly BinaryOperator[],
): BinaryOperator | undefined {
  return operators.find((operator) => {
    if (operator !== 'not in') return reader.take(operator)
    return reader.is('not') && reader.is('in', 1) && reader.take('not') && reader.take('in')
  })
}

function readUnary(reader: ExpressionReader): Expression {
  for (const operator of ['-', '+'] as const)
    if (reader.take(operator))
      return { kind: 'unary', operator, value: reader.deeper(() => readUnary(reader)) }
  return readPostfix(reader)
}

function readPostfix(reader: ExpressionReader): Expression {
  let value = readPrimary(reader)
  for (;;) {
    if (reader.take('.')) value = { kind: 'member', object: value, key: keyOf(reader) }
    else if (reader.take('[')) value = readItem(value, reader)
    else if (reader.take('(')) value = { kind: 'call', callee: value, ...readArguments(reader) }
    else if (reader.take('|')) value = { kind: 'filter', input: value, ...readCallee(reader) }
    else if (reader.take('is')) value = readTest(value, reader)
    else return value
  }
}

function keyOf(reader: ExpressionReader): Expression {
  const { kind, text } = reader.next()
  return { kind: 'literal', value: kind === 'number' ? Number(text) : text }
}

function readItem(object: Expression, reader: ExpressionReader): Expression {
  const start = reader.is(':') ? undefined : readExpression(reader)
  if (!reader.take(':')) {
    reader.expect(']')
    return start ? { kind: 'member', object, key: start } : object
  }
  const stop = reader.is(']') ? undefined : readExpression(reader)
  reader.expect(']')
  return { kind: 'slice', object, start, stop }
}

function readCallee(reader: ExpressionReader): { readonly name: string } & Arguments {
  let name = reader.name()
  while (reader.take('.')) name = `${name}.${reader.name()}`
  return { name, ...(reader.take('(') ? readArguments(reader) : { positional: [], named: [] }) }
}

function readTest(input: Expression, reader: ExpressionReader): Expression {
  const isNegated = reader.take('not')
  const name = reader.next().text
  const given = reader.take('(') ? readArguments(reader) : readBareArgument(reader)
  const test: Expression = { kind: 'test', input, name, ...given }
  return isNegated ? { kind: 'unary', operator: 'not', value: test } : test
}

/** `is divisibleby 3`. */
function readBareArgument(reader: ExpressionReader): Arguments {
  const token = reader.peek()
  const isValue = token && (token.kind === 'string' || token.kind === 'number')
  return { positional: isValue ? [readPrimary(reader)] : [], named: [] }
}

/** Reads up to the closing parenthesis; the opening one was consumed. */
export function readArguments(reader: ExpressionReader): Arguments {
  const positional: Expression[] = []
  const named: (readonly [string, Expression])[] = []
  while (!reader.take(')')) {
    if (reader.is('*') || reader.is('**')) throw reader.fault('expected an argument')
    if (reader.peek()?.kind === 'name' && reader.is('=', 1)) {
      const name = reader.name()
      reader.expect('=')
      named.push([name, readExpression(reader)])
    } else positional.push(readExpression(reader))
    if (reader.take(')')) break
    reader.expect(',')
  }
  return { positional, named }
}

/** Reads the parameters of a macro; the opening parenthesis was consumed. */
export function readParameters(reader: ExpressionReader): readonly Parameter[] {
  const parameters: Parameter[] = []
  while (!reader.take(')')) {
    const name = reader.name()
    parameters.push({ name, value: reader.take('=') ? readExpression(reader) : undefined })
    if (reader.take(')')) break
    reader.expect(',')
  }
  return parameters
}

function readPrimary(reader: ExpressionReader): Expression {
  const token = reader.next()
  if (token.kind === 'string') return readTexts(token.text, reader)
  if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) }
  if (token.kind === 'name') {
    const constant = JINJA_CONSTANTS.get(token.text)
    return constant === undefined ? { kind: 'name', name: token.text } : { kind: 'literal', value: constant }
  }
  if (token.text === '[') return reader.deeper(() => readList(reader, ']'))
  if (token.text === '(') return reader.deeper(() => readTuple(reader))
  if (token.text === '{') return reader.deeper(() => readDict(reader))
  throw reader.fault(`expected a value instead of ${token.text}`)
}

/** Adjacent texts are one. */
function readTexts(first: string, reader: ExpressionReader): Expression {
  let value = first
  while (reader.peek()?.kind === 'string') value += reader.next().text
  return { kind: 'literal', value }
}

function readList(reader: ExpressionReader, closing: ']' | ')'): Expression {
  const items: Expression[] = []
  while (!reader.take(closing)) {
    items.push(readExpression(reader))
    if (reader.take(closing)) break
    reader.expect(',')
  }
  return { kind: 'list', items }
}

function readTuple(reader: ExpressionReader): Expression {
  if (reader.take(')')) return { kind: 'list', items: [] }
  const first = readExpression(reader)
  if (reader.take(')')) return first
  reader.expect(',')
  const rest = readList(reader, ')')
  return { kind: 'list', items: [first, ...(rest.kind === 'list' ? rest.items : [])] }
}

function readDict(reader: ExpressionReader): Expression {
  const entries: (readonly [Expression, Expression])[] = []
  while (!reader.take('}')) {
    const key = readExpression(reader)
    reader.expect(':')
    entries.push([key, readExpression(reader)])
    if (reader.take('}')) break
    reader.expect(',')
  }
  return { kind: 'dict', entries }
}

import {
  ExpressionCursor,
  FOREIGN_COLUMN,
  FOREIGN_SHAPE,
  FOREIGN_TEXT,
  ReadFault,
} from './expression-cursor.ts'
import type { ExpressionToken } from './expression-tokens.ts'
import type { ExpressionBranch, ExpressionTree } from './expression-tree.ts'

/** Texts that warehouses read as the time of the query. */
const PRESENT = /^\s*(?:now|today|tomorrow|yesterday|current_\w+)\b/i

/** Words for settings of the machine. */
const OF_THE_MACHINE = /^\s*(?:localtime|local|system)\s*$/i

const TYPED_LITERALS = new Set(['date', 'time', 'timestamp', 'datetime'])
export const CONSTANTS: ReadonlyMap<string, 'null' | 'true' | 'false'> = new Map([
  ['null', 'null'],
  ['true', 'true'],
  ['false', 'false'],
])

/** Words that only occur between operands, so none of them is a column. */
const OPERATOR_WORDS = new Set(
  'and or is in like ilike rlike regexp between as when then else end at from for'.split(' '),
)

/** Reads operands: columns, literals, calls, casts, `case`. */
export abstract class OperandReader extends ExpressionCursor {
  /** Reads a whole value with its operators. */
  abstract readValue(): ExpressionTree

  /** Reads a value without comparisons, so that a following `in` or `from` stays unread. */
  abstract readSum(): ExpressionTree

  readOperand(): ExpressionTree {
    const token = this.next()
    if (token?.kind === 'number') return { kind: 'number', value: token.value }
    if (token?.kind === 'text') return this.readText(token)
    if (token?.kind === 'word') return this.readWord(token.value)
    if (token?.kind === 'name') {
      if (!this.vocabulary.isQuotedColumn(token.value)) throw new ReadFault(FOREIGN_COLUMN)
      return { kind: 'column', name: token.value }
    }
    if (token?.value !== '(') throw new ReadFault(FOREIGN_SHAPE)
    return this.nested(() => {
      const inner = this.readValue()
      this.expect(')')
      return inner
    })
  }

  readText({ value }: ExpressionToken): ExpressionTree {
    const sign = this.peek(-2)
    const isArgument = sign?.kind === 'sign' && (sign.value === '(' || sign.value === ',')
    if (PRESENT.test(value) || (isArgument && this.vocabulary.isOfTheMachine(value, OF_THE_MACHINE)))
      throw new ReadFault(FOREIGN_TEXT)
    return { kind: 'text', value }
  }

  readWord(word: string): ExpressionTree {
    const lower = word.toLowerCase()
    if (this.isSafePrefix(lower)) {
      this.next()
      const name = this.next()
      if (name?.kind !== 'word') throw new ReadFault(FOREIGN_SHAPE)
      return this.readCall(name.value)
    }
    if (this.isSign(new Set(['('])) && lower !== 'case') return this.readCall(word)
    if (lower === 'case') return this.nested(() => this.readCase())
    const constant = CONSTANTS.get(lower)
    if (constant !== undefined) return { kind: 'constant', value: constant }
    if (this.peek()?.kind === 'text' || lower === 'interval') return this.readTypedLiteral(lower)
    const name = OPERATOR_WORDS.has(lower) ? undefined : this.vocabulary.columnOf(word)
    if (name === undefined) throw new ReadFault(FOREIGN_COLUMN)
    return { kind: 'column', name }
  }

  isSafePrefix(lower: string): boolean {
    return lower === 'safe' && this.vocabulary.syntax.safePrefix && this.isSign(new Set(['.']))
  }

  readCall(word: string): ExpressionTree {
    const { functionFault, isCast, isFunction, isTypedConvert } = this.vocabulary
    const lower = word.toLowerCase()
    const isExtract = lower === 'extract' && (this.isPart(this.peek(1)) || !isFunction(word))
    const isKnown = isExtract || isCast(word) || isTypedConvert(word) || isFunction(word)
    if (!isKnown) throw new ReadFault(functionFault(word))
    this.expect('(')
    return this.nested(() => {
      if (isExtract) return this.readExtract()
      if (isCast(word)) return this.readCast(lower)
      if (isTypedConvert(word)) return this.readConvert(lower)
      return { kind: 'call', name: word, operands: this.readArguments(word) }
    })
  }

  readArguments(word: string): readonly ExpressionTree[] {
    const lower = word.toLowerCase()
    if (lower === 'trim') return this.readTrim()
    if (!this.vocabulary.takesPart(word)) {
      return this.readOperands(lower === 'substring' || lower === 'position')
    }
    return this.readOperands(false, true)
  }

  readExtract(): ExpressionTree {
    const part = this.next()
    if (!this.isPart(part) || !this.accept('from')) throw new ReadFault(FOREIGN_SHAPE)
    const operand = this.readValue()
    this.expect(')')
    return { kind: 'call', name: 'extract', operands: [{ kind: 'part', value: part?.value ?? '' }, operand] }
  }

  readCast(lower: string): ExpressionTree {
    return this.inCast(() => {
      const operand = this.readValue()
      if (!this.accept('as')) throw new ReadFault(FOREIGN_SHAPE)
      const type = this.readType()
      this.expect(')')
      return { kind: 'cast', operand, type, tries: /^(?:try|safe)/.test(lower) }
    })
  }

  /** T-SQL: the type, the value, and optionally the number of a style. */
  readConvert(lower: string): ExpressionTree {
    const type = this.readType()
    this.expect(',')
    const operand = this.readValue()
    const style = this.isSign(new Set([','])) ? this.readStyle() : undefined
    this.expect(')')
    const tries = lower.startsWith('try')
    return { kind: 'cast', operand, type, tries, ...(style !== undefined && { style }) }
  }

  private readStyle(): number {
    this.next()
    const style = this.next()
    if (style?.kind !== 'number') throw new ReadFault(FOREIGN_SHAPE)
    return Number(style.value)
  }

  /** Reads `trim(leading '0' from x)` as well as `trim(x, '0')`. */
  readTrim(): readonly ExpressionTree[] {
    const hasSide = /^(?:leading|trailing|both)$/i.test(this.peek()?.value ?? '')
    const isSided = hasSide && this.vocabulary.columnOf(this.peek()?.value ?? '') === undefined
    if (!isSided && !(this.peek()?.kind === 'text' && this.peek(1)?.value.toLowerCase() === 'from'))
      return this.readOperands()
    if (isSided) this.next()
    const characters = this.peek()?.kind === 'text' ? this.next() : undefined
    if (!this.accept('from')) throw new ReadFault(FOREIGN_SHAPE)
    const operand = this.readValue()
    this.expect(')')
    return characters ? [operand, { kind: 'text', value: characters.value }] : [operand]
  }

  /** Reads the operands after an opening bracket. */
  readOperands(withWords = false, withParts = false): ExpressionTree[] {
    const list: ExpressionTree[] = []
    do {
      list.push(this.readArgument(withWords, withParts))
    } while (this.acceptSeparator(withWords))
    this.expect(')')
    return list
  }

  readArgument(withWords: boolean, withParts: boolean): ExpressionTree {
    const isAlone = /^[),]$/.test(this.peek(1)?.value ?? '')
    const token = this.peek()
    if (withParts && isAlone && this.isPart(token)) {
      this.next()
      return { kind: 'part', value: token?.value ?? '' }
    }
    return withWords ? this.readSum() : this.readValue()
  }

  /** Accepts a comma, or the words of `substring(x from 1 for 2)` and `position(x in y)`. */
  acceptSeparator(withWords: boolean): boolean {
    if (withWords && (this.accept('from') || this.accept('for') || this.accept('in'))) return true
    if (!this.isSign(new Set([',']))) return false
    this.next()
    return true
  }

  readCase(): ExpressionTree {
    const operand = this.isWord('when') ? undefined : this.readValue()
    const branches: ExpressionBranch[] = []
    while (this.accept('when')) {
      const value = this.readValue()
      if (!this.accept('then')) throw new ReadFault(FOREIGN_SHAPE)
      const condition = operand ? binary('=', operand, value) : value
      branches.push({ condition, result: this.readValue() })
    }
    const otherwise = this.accept('else') ? this.readValue() : undefined
    if (branches.length === 0 || !this.accept('end')) throw new ReadFault(FOREIGN_SHAPE)
    return { kind: 'case', branches, otherwise }
  }

  readTypedLiteral(lower: string): ExpressionTree {
    if (lower === 'interval') return this.readInterval()
    const token = this.next()
    if (token?.kind !== 'text' || !TYPED_LITERALS.has(lower)) throw new ReadFault(FOREIGN_SHAPE)
    return { kind: 'typed', type: lower, operand: this.readText(token) }
  }

  readInterval(): ExpressionTree {
    this.countInterval()
    const operand = this.readOperand()
    const isLiteralInterval = operand.kind === 'text' || operand.kind === 'number'
    const hasUnit = this.isPart(this.peek())
    if (hasUnit) this.next()
    if (!isLiteralInterval && !(hasUnit && this.vocabulary.syntax.intervalsOfColumns))
      throw new ReadFault(FOREIGN_SHAPE)
    return { kind: 'typed', type: 'interval', operand }
  }
}

export function binary(operator: string, left: ExpressionTree, right: ExpressionTree): ExpressionTree {
  return { kind: 'binary', operator, left, right }
}

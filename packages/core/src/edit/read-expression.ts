import { FOREIGN_COLUMN, FOREIGN_SHAPE, FOREIGN_TEXT, ReadFault } from './expression-cursor.ts'
import type { ExpressionToken } from './expression-tokens.ts'
import type { ExpressionTree } from './expression-tree.ts'
import type { ExpressionVocabulary } from './expression-vocabulary.ts'
import { binary, CONSTANTS, OperandReader } from './operand-reader.ts'

const ZONE_NAME =
  /^(?:[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*|[+-]\d\d:\d\d|[A-Z][a-z]+(?: [A-Za-z.]+)*)$/

const COMPARISONS = new Set(['=', '<>', '!=', '<', '>', '<=', '>='])
const MATCHES = new Set(['~', '~*', '!~', '!~*'])
const STEPS = new Set(['->', '->>', '#>', '#>>'])
const SUMS = new Set(['+', '-', '||'])
const PRODUCTS = new Set(['*', '/', '%'])

const PIPES = 'an expression must join texts with concat(), because || means or in this dialect'

/** Reads an expression, or returns the fault of its words or their order. */
export function readExpression(
  expression: string,
  tokens: readonly ExpressionToken[],
  vocabulary: ExpressionVocabulary,
): ExpressionTree | string {
  try {
    return new ExpressionReader(expression, tokens, vocabulary).read()
  } catch (error) {
    if (error instanceof ReadFault) return error.message
    throw error
  }
}

/**
 * Reads the words of an expression by precedence. Every word must be known, in a place where no grammar can misread it.
 */
class ExpressionReader extends OperandReader {
  read(): ExpressionTree {
    const tree = this.readValue()
    if (this.peek() !== undefined) throw new ReadFault(FOREIGN_SHAPE)
    return tree
  }

  readValue(): ExpressionTree {
    let left = this.readConjunction()
    while (this.accept('or')) left = binary('or', left, this.readConjunction())
    return left
  }

  readConjunction(): ExpressionTree {
    let left = this.readNegation()
    while (this.accept('and')) left = binary('and', left, this.readNegation())
    return left
  }

  readNegation(): ExpressionTree {
    if (!this.isWord('not')) return this.readComparison()
    return this.nested(() => {
      this.next()
      return { kind: 'unary', operator: 'not', operand: this.readNegation() }
    })
  }

  readComparison(): ExpressionTree {
    let left = this.readSum()
    for (;;) {
      const sign = this.peek()?.kind === 'sign' ? (this.peek()?.value ?? '') : ''
      if (COMPARISONS.has(sign) || (MATCHES.has(sign) && this.vocabulary.syntax.matchSigns)) {
        this.next()
        left = binary(sign, left, this.readSum())
      } else if (this.accept('is')) {
        left = this.readTruth(left)
      } else {
        const tested = this.readTest(left)
        if (tested === undefined) return left
        left = tested
      }
    }
  }

  readTruth(operand: ExpressionTree): ExpressionTree {
    const isNegated = this.accept('not')
    const token = this.next()
    const value = token?.kind === 'word' ? CONSTANTS.get(token.value.toLowerCase()) : undefined
    if (value === undefined) throw new ReadFault(FOREIGN_SHAPE)
    return { kind: 'test', operator: `is ${value}`, isNegated, operands: [operand] }
  }

  readTest(operand: ExpressionTree): ExpressionTree | undefined {
    const isNegated = this.isWord('not')
    const word = (this.peek(isNegated ? 1 : 0)?.value ?? '').toLowerCase()
    if (this.peek(isNegated ? 1 : 0)?.kind !== 'word') return undefined
    const isMatch = (word === 'rlike' || word === 'regexp') && this.vocabulary.syntax.matchWords
    const isTest = isMatch || ['in', 'like', 'ilike', 'between'].includes(word)
    if (!isTest) return undefined
    this.next()
    if (isNegated) this.next()
    const others = word === 'in' ? this.readList() : [this.readSum()]
    if (word === 'between') {
      if (!this.accept('and')) throw new ReadFault(FOREIGN_SHAPE)
      others.push(this.readSum())
    }
    return { kind: 'test', operator: word, isNegated, operands: [operand, ...others] }
  }

  /** Literals in brackets; anything else could be a query. */
  readList(): ExpressionTree[] {
    this.expect('(')
    const list = this.readOperands()
    const areLiterals = list.every(
      (item) => isLiteral(item) || (item.kind === 'unary' && isLiteral(item.operand)),
    )
    if (!areLiterals) throw new ReadFault(FOREIGN_SHAPE)
    return list
  }

  readSum(): ExpressionTree {
    let left = this.readProduct()
    while (this.isSign(SUMS)) {
      const operator = this.next()?.value ?? ''
      if (operator === '||' && !this.vocabulary.syntax.joinsByPipes) throw new ReadFault(PIPES)
      left = binary(operator, left, this.readProduct())
    }
    return left
  }

  readProduct(): ExpressionTree {
    let left = this.readSigned()
    while (this.isSign(PRODUCTS)) left = binary(this.next()?.value ?? '', left, this.readSigned())
    return left
  }

  readSigned(): ExpressionTree {
    const token = this.peek()
    if (token?.kind !== 'sign' || (token.value !== '-' && token.value !== '+')) return this.readSteps()
    const operator = token.value
    return this.nested(() => {
      this.next()
      return { kind: 'unary', operator, operand: this.readSigned() }
    })
  }

  /** An operand with its suffixes: casts, zones and steps into documents. */
  readSteps(): ExpressionTree {
    let operand = this.readOperand()
    for (;;) {
      const step = this.readStep(operand)
      if (step === undefined) return operand
      operand = step
    }
  }

  readStep(operand: ExpressionTree): ExpressionTree | undefined {
    const token = this.peek()
    if (token?.kind === 'word' && token.value.toLowerCase() === 'at') return this.readZone(operand)
    if (token?.kind !== 'sign') return undefined
    const { colonCast, syntax } = this.vocabulary
    if (token.value === '::' && colonCast) {
      this.next()
      return { kind: 'cast', operand, type: this.readType(), tries: false }
    }
    if (STEPS.has(token.value) && syntax.steps.includes(token.value)) return this.readArrow(operand)
    if (token.value === ':' && syntax.colonPaths && isDocument(operand)) return this.readName(operand)
    if (token.value === '.' && syntax.dots && this.hasParts(operand)) return this.readName(operand)
    if (token.value === '[' && syntax.brackets && !isLiteral(operand)) return this.readIndex(operand)
    return undefined
  }

  readArrow(operand: ExpressionTree): ExpressionTree {
    const operator = this.next()?.value ?? ''
    const key = this.next()
    const isKey = key?.kind === 'text' || (key?.kind === 'number' && /^\d+$/.test(key.value))
    if (!isKey) throw new ReadFault(FOREIGN_SHAPE)
    return { kind: 'path', operand, key: key.value, isText: operator.endsWith('>>') }
  }

  readName(operand: ExpressionTree): ExpressionTree {
    this.next()
    const name = this.next()
    const isName = name?.kind === 'word' || (name?.kind === 'name' && /^[\w $.-]+$/.test(name.value))
    if (!isName || this.isSign(new Set(['(']))) throw new ReadFault(FOREIGN_COLUMN)
    return { kind: 'path', operand, key: name.value, isText: false }
  }

  /** `[1]`, `['key']`, and BigQuery's `[offset(0)]`. */
  readIndex(operand: ExpressionTree): ExpressionTree {
    this.next()
    const word = this.peek()
    const isOffset =
      word?.kind === 'word' && this.vocabulary.syntax.offsets.includes(word.value.toLowerCase())
    if (isOffset) {
      this.next()
      this.expect('(')
    }
    if (this.isSign(new Set(['-']))) this.next()
    const key = this.next()
    const isKey = (key?.kind === 'text' && !isOffset) || (key?.kind === 'number' && /^\d+$/.test(key.value))
    if (!isKey) throw new ReadFault(FOREIGN_SHAPE)
    if (isOffset) this.expect(')')
    this.expect(']')
    return { kind: 'path', operand, key: key.value, isText: false }
  }

  /** Dots lead into records: a column of that type, or a value from a document. */
  hasParts(operand: ExpressionTree): boolean {
    if (operand.kind === 'path') return true
    return operand.kind === 'column' && this.vocabulary.isRecord(operand.name)
  }

  readZone(operand: ExpressionTree): ExpressionTree {
    const isZone = this.accept('at') && this.accept('time') && this.accept('zone')
    const zone = this.next()
    if (!isZone || zone?.kind !== 'text') throw new ReadFault(FOREIGN_SHAPE)
    if (!ZONE_NAME.test(zone.value) || /^(?:local|system|default)/i.test(zone.value))
      throw new ReadFault(FOREIGN_TEXT)
    return { kind: 'zone', operand, zone: zone.value }
  }
}

function isLiteral({ kind }: ExpressionTree): boolean {
  return kind === 'text' || kind === 'number' || kind === 'constant'
}

/** Returns true if a path with a colon may start from this expression. */
function isDocument({ kind }: ExpressionTree): boolean {
  return kind === 'column' || kind === 'path' || kind === 'call'
}

import { DATE_PARTS } from './expression-functions.ts'
import { type ExpressionToken } from './expression-tokens.ts'
import { type ExpressionVocabulary } from './expression-vocabulary.ts'

const FOREIGN_COLUMN =
  'an expression may only read columns of its own table, by their stored names, without a qualifier and in quotes where the name is reserved'
const FOREIGN_TYPE = 'an expression may only cast to scalar types that the dialect lists'
export const FOREIGN_SHAPE =
  'an expression must be one scalar value made of columns, literals, operators, case, casts and function calls'
const FOREIGN_TEXT = 'an expression may not ask for the present time'

/** More brackets and `case` inside one another than people write; parsers recurse, and try again at each level. */
const DEEPEST = 8

/** Each cast in a cast costs the grammar of MySQL three times as long. */
const DEEPEST_CASTS = 3

/** Each interval makes most grammars of node-sql-parser read the whole expression twice as often. */
const MOST_INTERVALS = 3

const TOO_DEEP = `an expression may be nested ${DEEPEST} deep, casts ${DEEPEST_CASTS} deep, and have ${MOST_INTERVALS} intervals at most`

type Frame = 'group' | 'case' | 'call' | 'call with part' | 'cast' | 'extract' | 'list'

const MODIFIER = `(?:\\s+(?:precision|varying))?`
const ZONE = `(?:\\s+with(?:out)?\\s+time\\s+zone)?`
const ARGUMENT = `(?:\\d+|'[A-Za-z_/]+')`
const PLAIN_TYPE = `[A-Za-z_]\\w*${MODIFIER}(?:\\s*\\(\\s*${ARGUMENT}(?:\\s*,\\s*${ARGUMENT})*\\s*\\))?${ZONE}`
const TYPE = new RegExp(`(?:nullable|lowcardinality)\\(${PLAIN_TYPE}\\)|${PLAIN_TYPE}`, 'iy')

/** Texts that warehouses read as the time of the query. */
const PRESENT = /^\s*(?:now|today|tomorrow|yesterday|current_\w+)\b/i

const OPERATORS = new Set(['+', '-', '*', '/', '%', '=', '<>', '!=', '<', '>', '<=', '>=', '||'])
const TYPED_LITERALS = new Set(['date', 'time', 'timestamp', 'datetime'])
const CONSTANTS = new Set(['null', 'true', 'false'])

/** Says what is wrong with the words of an expression, or with their order; undefined when nothing is. */
export function findWordFault(
  expression: string,
  tokens: readonly ExpressionToken[],
  vocabulary: ExpressionVocabulary,
): string | undefined {
  const reader = new WordReader(expression, tokens, vocabulary)
  return reader.read()
}

/**
 * Reads operands and operators in turn. Precedence is none of its business: what it makes sure of is that
 * every word is one that it knows, in a place where no grammar can take it for another.
 */
class WordReader {
  readonly #expression: string
  readonly #tokens: readonly ExpressionToken[]
  readonly #vocabulary: ExpressionVocabulary
  readonly #frames: Frame[] = []
  #index = 0
  #intervals = 0
  #wantsOperand = true

  constructor(expression: string, tokens: readonly ExpressionToken[], vocabulary: ExpressionVocabulary) {
    this.#expression = expression
    this.#tokens = tokens
    this.#vocabulary = vocabulary
  }

  read(): string | undefined {
    while (this.#index < this.#tokens.length) {
      const fault = this.#wantsOperand ? this.#readOperand() : this.#readOperator()
      if (fault !== undefined) return fault
      const casts = this.#frames.filter((frame) => frame === 'cast').length
      if (this.#frames.length > DEEPEST || casts > DEEPEST_CASTS) return TOO_DEEP
    }
    return this.#wantsOperand || this.#frames.length > 0 ? FOREIGN_SHAPE : undefined
  }

  #readOperand(): string | undefined {
    const token = this.#next()
    if (token?.kind === 'number') return this.#endOperand()
    if (token?.kind === 'text') return this.#isPresent(token) ? FOREIGN_TEXT : this.#endOperand()
    if (token?.kind === 'word') return this.#readWord(token.value)
    if (token?.kind === 'name') {
      return this.#vocabulary.isQuotedColumn(token.value) ? this.#endOperand() : FOREIGN_COLUMN
    }
    if (token?.value === '(') return this.#open('group')
    return token?.value === '-' || token?.value === '+' ? undefined : FOREIGN_SHAPE
  }

  /** SQLite takes a lone 'subsec' for now. */
  #isPresent({ value }: ExpressionToken): boolean {
    const isFirst = this.#peek(-2)?.value === '('
    return PRESENT.test(value) || (isFirst && /^\s*subsec/i.test(value))
  }

  #readWord(word: string): string | undefined {
    const lower = word.toLowerCase()
    if (this.#peek()?.value === '(' && lower !== 'not' && lower !== 'case') return this.#readCall(word)
    if (lower === 'not') return undefined
    if (lower === 'case') return this.#openCase()
    if (CONSTANTS.has(lower)) return this.#endOperand()
    if (this.#peek()?.kind === 'text' || lower === 'interval') return this.#readTypedLiteral(lower)
    if (this.#vocabulary.isColumn(word)) return this.#endOperand()
    const isPart = this.#frames.at(-1) === 'call with part' && DATE_PARTS.has(lower)
    return isPart && this.#endsArgument() ? this.#endOperand() : FOREIGN_COLUMN
  }

  #endsArgument(): boolean {
    const isAlone = /^[(,]$/.test(this.#peek(-2)?.value ?? '')
    return isAlone && /^[),]$/.test(this.#peek()?.value ?? '')
  }

  #readCall(word: string): string | undefined {
    const { functionFault, isCast, isFunction, takesPart } = this.#vocabulary
    this.#index += 1
    if (word.toLowerCase() === 'extract') return this.#openExtract()
    if (isCast(word)) return this.#open('cast')
    if (!isFunction(word)) return functionFault
    return this.#open(takesPart(word) ? 'call with part' : 'call')
  }

  #openExtract(): string | undefined {
    if (!this.#accept(/^[a-z]+$/i, DATE_PARTS) || !this.#accept(/^from$/i)) return FOREIGN_SHAPE
    return this.#open('extract')
  }

  #openCase(): string | undefined {
    this.#frames.push('case')
    this.#accept(/^when$/i)
    return undefined
  }

  #readTypedLiteral(lower: string): string | undefined {
    const token = this.#next()
    if (token?.kind === 'text' && this.#isPresent(token)) return FOREIGN_TEXT
    if (lower === 'interval' && (token?.kind === 'text' || token?.kind === 'number')) {
      this.#intervals += 1
      if (this.#intervals > MOST_INTERVALS) return TOO_DEEP
      this.#accept(/^[a-z]+$/i, DATE_PARTS)
      return this.#endOperand()
    }
    return token?.kind === 'text' && TYPED_LITERALS.has(lower) ? this.#endOperand() : FOREIGN_SHAPE
  }

  #readOperator(): string | undefined {
    const token = this.#next()
    const value = token?.value.toLowerCase() ?? ''
    if (token?.kind === 'word') return this.#readOperatorWord(value)
    if (token?.kind !== 'sign') return FOREIGN_SHAPE
    if (value === ')') return this.#close()
    if (value === '::') return this.#vocabulary.colonCast ? this.#readType() : FOREIGN_SHAPE
    const separates = value === ',' && /^(?:call|list)/.test(this.#frames.at(-1) ?? '')
    return OPERATORS.has(value) || separates ? this.#startOperand() : FOREIGN_SHAPE
  }

  #readOperatorWord(word: string): string | undefined {
    const frame = this.#frames.at(-1)
    if (word === 'as') return frame === 'cast' ? this.#readCastType() : FOREIGN_SHAPE
    if (word === 'end') return frame === 'case' ? this.#close('case') : FOREIGN_SHAPE
    if (/^(?:when|then|else)$/.test(word)) return frame === 'case' ? this.#startOperand() : FOREIGN_SHAPE
    if (word === 'and' || word === 'or') return this.#startOperand()
    if (word === 'is') {
      this.#accept(/^not$/i)
      return this.#accept(/^(?:null|true|false)$/i) ? undefined : FOREIGN_SHAPE
    }
    if (word === 'at') {
      const isZone =
        this.#accept(/^time$/i) && this.#accept(/^zone$/i) && this.#accept(/./, undefined, 'text')
      return isZone ? undefined : FOREIGN_SHAPE
    }
    if (word === 'not' && !/^(?:in|like|ilike|between)$/i.test(this.#peek()?.value ?? ''))
      return FOREIGN_SHAPE
    return this.#readTest(word === 'not' ? (this.#next()?.value.toLowerCase() ?? '') : word)
  }

  #readTest(word: string): string | undefined {
    if (/^(?:like|ilike|between)$/.test(word)) return this.#startOperand()
    const isList = word === 'in' && this.#accept(/^\($/, undefined, 'sign')
    return isList ? this.#open('list') : FOREIGN_SHAPE
  }

  #readCastType(): string | undefined {
    const fault = this.#readType()
    return fault ?? (this.#accept(/^\)$/, undefined, 'sign') ? this.#close('cast') : FOREIGN_SHAPE)
  }

  /** Types are read from the text, because a parser prints them in a way of its own. */
  #readType(): string | undefined {
    TYPE.lastIndex = this.#peek()?.start ?? this.#expression.length
    const type = TYPE.exec(this.#expression)?.[0]
    if (type === undefined || !this.#vocabulary.isType(type)) return FOREIGN_TYPE
    while (this.#index < this.#tokens.length && (this.#peek()?.start ?? 0) < TYPE.lastIndex) this.#index += 1
    return undefined
  }

  #open(frame: Frame): undefined {
    this.#frames.push(frame)
    return this.#startOperand()
  }

  /** Closes the bracket or `case` that was opened last; a cast is closed by its type only. */
  #close(frame?: 'case' | 'cast'): string | undefined {
    const last = this.#frames.pop()
    const isRight =
      frame === undefined ? last !== undefined && last !== 'case' && last !== 'cast' : last === frame
    return isRight ? this.#endOperand() : FOREIGN_SHAPE
  }

  #startOperand(): undefined {
    this.#wantsOperand = true
  }

  #endOperand(): undefined {
    this.#wantsOperand = false
  }

  /** Takes the next piece when it is the word that is looked for. */
  #accept(pattern: RegExp, among?: ReadonlySet<string>, kind: ExpressionToken['kind'] = 'word'): boolean {
    const token = this.#peek()
    if (token?.kind !== kind || !pattern.test(token.value)) return false
    if (among && !among.has(token.value.toLowerCase())) return false
    this.#index += 1
    return true
  }

  /** The piece that is `offset` away from the one that comes next. */
  #peek(offset = 0): ExpressionToken | undefined {
    return this.#tokens[this.#index + offset]
  }

  #next(): ExpressionToken | undefined {
    const token = this.#peek()
    this.#index += 1
    return token
  }
}

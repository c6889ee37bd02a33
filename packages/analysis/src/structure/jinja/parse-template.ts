import { type JinjaBlock, jinjaBlocks } from '@stagecraft/dbt'
import {
  ExpressionReader,
  readArguments,
  readExpression,
  readExpressions,
  readItems,
  readParameters,
} from './parse-expression.ts'
import { type Branch, type Expression, type Node, type Parameter, TemplateFault } from './syntax.ts'

/**
 * Reads a template of dbt.
 *
 * @throws {TemplateFault} For invalid Jinja, and for syntax that this parser does not support.
 */
export function parseTemplate(text: string): readonly Node[] {
  const reader = new BlockReader(text)
  const nodes = readNodes(reader, [])
  const rest = reader.next()
  if (rest) throw broken(`{% ${wordOf(rest)} %} has no opening block`, rest.offset - 2)
  return nodes
}

class BlockReader {
  readonly text: string
  readonly #blocks: readonly JinjaBlock[]
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.text = text
    this.#blocks = jinjaBlocks(text)
  }

  peek(): JinjaBlock | undefined {
    return this.#blocks[this.#at]
  }

  next(): JinjaBlock | undefined {
    const block = this.#blocks[this.#at]
    if (block) this.#at += 1
    return block
  }

  /** The last block read, and the next one. */
  around(): readonly [JinjaBlock | undefined, JinjaBlock | undefined] {
    return [this.#blocks[this.#at - 2], this.#blocks[this.#at]]
  }

  deeper<Result>(offset: number, read: () => Result): Result {
    this.#depth += 1
    if (this.#depth > 100) throw new TemplateFault('blocks are nested too deep', { isBroken: false, offset })
    const result = read()
    this.#depth -= 1
    return result
  }
}

function broken(reason: string, offset: number): TemplateFault {
  return new TemplateFault(reason, { isBroken: true, offset })
}

function wordOf({ source }: JinjaBlock): string {
  return /^[-+]?\s*(\w+)/.exec(source)?.[1] ?? ''
}

/** Reads up to a statement with one of these words, or to the end of the text. */
function readNodes(reader: BlockReader, until: readonly string[]): readonly Node[] {
  const nodes: Node[] = []
  for (let block = reader.peek(); block; block = reader.peek()) {
    const word = block.kind === 'statement' ? wordOf(block) : ''
    if (until.includes(word) || /^(?:end|else$|elif$)/.test(word)) break
    reader.next()
    if (block.kind === 'text') nodes.push(...textNode(block, reader))
    else if (block.kind === 'expression') nodes.push(printNode(block, reader.text))
    else if (word !== 'raw' && word !== 'endraw') nodes.push(...readStatement(block, word, reader))
  }
  return nodes
}

/** Dashes inside braces trim the adjacent white space. */
function textNode({ offset, source }: JinjaBlock, reader: BlockReader): readonly Node[] {
  const [before, after] = reader.around()
  const cut = before && before.kind !== 'text' && before.source.endsWith('-')
  const bare = cut ? source.trimStart() : source
  const start = offset + source.length - bare.length
  const text = after && after.kind !== 'text' && after.source.startsWith('-') ? bare.trimEnd() : bare
  return text === '' ? [] : [{ kind: 'text', text, start }]
}

function printNode(block: JinjaBlock, text: string): Node {
  assertClosed(block, text, '}}')
  const reader = readerOf(block)
  const expression = readExpressions(reader)
  reader.end()
  return { kind: 'print', expression, start: block.offset - 2, end: block.offset + block.source.length + 2 }
}

function assertClosed({ offset, source }: JinjaBlock, text: string, closing: string): void {
  if (text.startsWith(closing, offset + source.length)) return
  const opening = text.slice(offset - 2, offset)
  throw broken(`${opening} is never closed by ${closing}`, offset - 2)
}

/** The content without the dashes that trim white space. */
function readerOf({ offset, source }: JinjaBlock): ExpressionReader {
  const bare = source.replace(/-$/, '').replace(/^[-+]/, ' ')
  return new ExpressionReader(bare, offset)
}

function readStatement(block: JinjaBlock, word: string, reader: BlockReader): readonly Node[] {
  assertClosed(block, reader.text, '%}')
  const statement = readerOf(block)
  if (statement.isAtEnd) throw broken('{% %} is empty', block.offset - 2)
  statement.next()
  return reader.deeper(block.offset, () => {
    const read = STATEMENTS.get(word)
    if (!read)
      throw new TemplateFault(`{% ${word} %} is not supported`, { isBroken: false, offset: block.offset })
    return read({ block, reader, statement })
  })
}

interface Statement {
  readonly block: JinjaBlock
  /** The position after its first word. */
  readonly statement: ExpressionReader
  readonly reader: BlockReader
}

const STATEMENTS: ReadonlyMap<string, (statement: Statement) => readonly Node[]> = new Map([
  ['if', readIf],
  ['for', readFor],
  ['set', readSet],
  ['do', readDo],
  ['macro', readMacro],
  ['call', readCall],
  ['filter', readFilter],
  ['snapshot', readBody],
  ['docs', skipBody],
  ['test', skipBody],
  ['data_test', skipBody],
  ['materialization', skipBody],
])

function readIf({ block, reader, statement }: Statement): readonly Node[] {
  const branches: Branch[] = []
  let condition: Expression | undefined = readExpression(statement)
  statement.end()
  for (;;) {
    branches.push({ condition, body: readNodes(reader, []) })
    const next = reader.next()
    const word = next ? wordOf(next) : ''
    if (!next) throw broken('{% if %} is never closed by {% endif %}', block.offset - 2)
    if (word === 'endif') return [{ kind: 'if', branches }]
    if (word !== 'elif' && word !== 'else')
      throw broken(`expected {% endif %}, got {% ${word} %}`, next.offset - 2)
    const inner = readerOf(next)
    inner.next()
    condition = word === 'elif' ? readExpression(inner) : undefined
  }
}

function readFor({ block, reader, statement }: Statement): readonly Node[] {
  const names = [...readTargets(statement)]
  statement.expect('in')
  const all = readItems(statement)
  const condition = statement.take('if') ? readExpression(statement) : undefined
  const body = readNodes(reader, ['else'])
  const isElse = reader.peek() && wordOf(reader.peek() ?? block) === 'else'
  if (isElse) reader.next()
  const otherwise = isElse ? readNodes(reader, []) : []
  close(reader, block, 'endfor')
  const inner: Node = { kind: 'if', branches: [{ condition, body }] }
  return [{ kind: 'for', names, items: all, body: condition ? [inner] : body, otherwise }]
}

/** `a`, `a, b` or `(a, b)`. */
function readTargets(statement: ExpressionReader): readonly string[] {
  const isTuple = statement.take('(')
  const names = [statement.name()]
  while (statement.take(',')) names.push(statement.name())
  if (isTuple) statement.expect(')')
  return names
}

function close(reader: BlockReader, opening: JinjaBlock, word: string): void {
  const next = reader.next()
  if (next && wordOf(next) === word) return
  if (next) throw broken(`expected {% ${word} %}, got {% ${wordOf(next)} %}`, next.offset - 2)
  throw broken(`{% ${wordOf(opening)} %} is never closed by {% ${word} %}`, opening.offset - 2)
}

function readSet({ block, reader, statement }: Statement): readonly Node[] {
  const targets = [readTarget(statement)]
  while (statement.take(',')) targets.push(readTarget(statement))
  if (statement.take('=')) {
    const value = readExpressions(statement)
    statement.end()
    return [{ kind: 'set', targets, value }]
  }
  const [target] = targets
  const filters: string[] = []
  while (statement.take('|')) filters.push(statement.name())
  const body = readNodes(reader, [])
  close(reader, block, 'endset')
  return target?.kind === 'name' ? [{ kind: 'capture', name: target.name, body }] : []
}

/** A name, or a member of one: `ns.total`. */
function readTarget(statement: ExpressionReader): Expression {
  const name: Expression = { kind: 'name', name: statement.name() }
  if (!statement.take('.')) return name
  return { kind: 'member', object: name, key: { kind: 'literal', value: statement.name() } }
}

function readDo({ statement }: Statement): readonly Node[] {
  const expression = readExpressions(statement)
  statement.end()
  return [{ kind: 'do', expression }]
}

function readMacro({ block, reader, statement }: Statement): readonly Node[] {
  const name = statement.name()
  statement.expect('(')
  const parameters = readParameters(statement)
  const body = readNodes(reader, [])
  close(reader, block, 'endmacro')
  return [{ kind: 'macro', name, parameters, body }]
}

function readCall({ block, reader, statement }: Statement): readonly Node[] {
  const parameters: readonly Parameter[] = statement.take('(') ? readParameters(statement) : []
  const expression = readExpression(statement)
  const body = readNodes(reader, [])
  const end = reader.peek()
  close(reader, block, 'endcall')
  return [
    {
      kind: 'call',
      expression,
      parameters,
      body,
      start: block.offset - 2,
      end: (end?.offset ?? block.offset) + (end?.source.length ?? 0) + 2,
    },
  ]
}

function readFilter({ block, reader, statement }: Statement): readonly Node[] {
  const name = statement.name()
  const given = statement.take('(') ? readArguments(statement) : { positional: [], named: [] }
  const body = readNodes(reader, [])
  close(reader, block, 'endfilter')
  const input: Expression = { kind: 'literal', value: '' }
  return [{ kind: 'filter', expression: { kind: 'filter', input, name, ...given }, body }]
}

function readBody({ block, reader, statement }: Statement): readonly Node[] {
  const name = statement.name()
  const body = readNodes(reader, [])
  close(reader, block, 'endsnapshot')
  return [{ kind: 'body', name, body }]
}

const ENDS: Readonly<Record<string, string>> = { data_test: 'enddata_test' }

/** Skips blocks that do not affect models: docs may contain any text; tests and materializations return no rows. */
function skipBody({ block, reader }: Statement): readonly Node[] {
  const word = wordOf(block)
  const end = ENDS[word] ?? `end${word}`
  for (let next = reader.next(); next; next = reader.next())
    if (next.kind === 'statement' && (wordOf(next) === end || wordOf(next) === 'endtest')) return []
  throw broken(`{% ${word} %} is never closed by {% ${end} %}`, block.offset - 2)
}

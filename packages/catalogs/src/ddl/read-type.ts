import { DIALECTS } from '@stagecraft/dialects'
import { Cursor, type Token, isSymbol } from '../sql/cursor.ts'
import { readEnumTypeAt } from '../sql/value-list.ts'
import type { QualifiedName } from './definitions.ts'
import { TIME_ZONES } from './expressions.ts'
import { storedSpelling, unreadable } from './names.ts'
import { type Script, ddlRulesOf } from './script.ts'

/** Words that continue a type: `double precision`, `bigint unsigned`, `interval day to second`. */
const TYPE_WORDS = `
  array big binary byte char character day hour int integer large long minute month national object precision raw second
  signed to unsigned varchar varying year zerofill
`
  .toUpperCase()
  .trim()
  .split(/\s+/)

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '<': '>', '[': ']' }

/** The maximum nesting of brackets in a type, the same as in a statement. */
const DEEPEST_TYPE = 200

interface ColumnType {
  readonly text: string
  /** Set if the type is a plain name, which a script may define. */
  readonly name: QualifiedName | undefined
  readonly values: readonly string[] | undefined
}

/** Reads a type; undefined if the next token cannot begin one, or there is none. */
export function readType(
  cursor: Cursor,
  script: Script,
  isClause: (cursor: Cursor) => boolean,
): ColumnType | undefined {
  const first = cursor.peek()
  const isText = first?.kind === 'text' && ddlRulesOf(script.dialect).anyWordsAreType // [day] 'date'
  if ((first?.kind !== 'word' && first?.kind !== 'name' && !isText) || isClause(cursor)) return undefined
  const name = readTypeName(cursor, script)
  const tail = readTypeTail(name, cursor, script, isClause)
  const tokens = [...name, ...tail]
  return {
    text: printType(tokens, script),
    name: tail.length === 0 ? toQualifiedName(name, script) : undefined,
    values: readEnumTypeAt(new Cursor(tokens)),
  }
}

/** Reads a dotted name, without the schema of the engine's own types. */
function readTypeName(cursor: Cursor, { dialect }: Script): readonly Token[] {
  const isOwn =
    cursor.atSymbol('.', 1) && cursor.peek()?.text.toLowerCase() === ddlRulesOf(dialect).typeSchema
  if (isOwn) takeMany(cursor, 2)
  const tokens = [cursor.next()]
  while (cursor.atSymbol('.')) tokens.push(cursor.next(), cursor.take('word', 'name'))
  return tokens.filter((token) => token !== undefined)
}

/** Returns true for a text type. MySQL's `varchar(9) binary` is text that is compared by bytes. */
function isText(tokens: readonly Token[]): boolean {
  return /^(?:n?(?:var)?char|character|(?:tiny|medium|long)?text|enum|set)$/i.test(tokens[0]?.text ?? '')
}

function readTypeTail(
  name: readonly Token[],
  cursor: Cursor,
  { dialect }: Script,
  isClause: (cursor: Cursor) => boolean,
): readonly Token[] {
  const tokens: Token[] = []
  for (;;) {
    const close = CLOSING[cursor.peek()?.kind === 'symbol' ? (cursor.peek()?.text ?? '') : '']
    const zone = TIME_ZONES.find((words) => cursor.at(...words))
    const isWordOfType = TYPE_WORDS.some((word) => cursor.at(word))
    // in SQLite, any words are a type
    const isAnyWord = ddlRulesOf(dialect).anyWordsAreType && cursor.peek()?.kind === 'word'
    if (cursor.at('BINARY') && isText([...name, ...tokens])) cursor.next()
    else if (close !== undefined) tokens.push(...takeNested(cursor))
    else if (zone) tokens.push(...takeMany(cursor, zone.length))
    else if ((isWordOfType || isAnyWord) && !isClause(cursor)) tokens.push(...takeMany(cursor, 1))
    else return tokens
  }
}

/**
 * Takes a group in any brackets, without the comments on fields that BigQuery and Spark allow in it.
 *
 * @throws {UnreadableSql} If brackets are nested too deeply.
 */
function takeNested(cursor: Cursor, depth = 1): readonly Token[] {
  if (depth > DEEPEST_TYPE)
    throw unreadable(cursor.peek(), `a type with at most ${DEEPEST_TYPE} nested brackets`)
  const tokens = takeMany(cursor, 1)
  const open = tokens[0]?.text ?? ''
  const close = CLOSING[open] ?? ''
  while (!cursor.done && !cursor.atSymbol(close)) {
    const isOpening = CLOSING[cursor.peek()?.text ?? ''] !== undefined && cursor.peek()?.kind === 'symbol'
    if (open === '<' && cursor.at('OPTIONS')) skipOptions(cursor)
    else if (open !== '[' && cursor.at('COMMENT') && cursor.peek(1)?.kind === 'text') takeMany(cursor, 2)
    else tokens.push(...(isOpening ? takeNested(cursor, depth + 1) : takeMany(cursor, 1)))
  }
  return [...tokens, ...takeMany(cursor, 1)]
}

function skipOptions(cursor: Cursor): void {
  cursor.next()
  cursor.takeGroup()
}

function takeMany(cursor: Cursor, count: number): Token[] {
  return Array.from({ length: count }, () => cursor.next()).filter((token) => token !== undefined)
}

/** Prints a type on one line, without brackets around names, and with spaces as in the script. */
function printType(tokens: readonly Token[], { dialect, sql }: Script): string {
  return tokens
    .map((token, index) => {
      const before = tokens[index - 1]
      const isApart = before !== undefined && before.end < token.start
      const hugs = [')', '>', ',', ']'].some((mark) => isSymbol(token, mark))
      const isHugged = ['(', '<', '['].some((mark) => isSymbol(before, mark))
      const isBare = token.quote === '[' || ddlRulesOf(dialect).anyWordsAreType
      const text = isBare ? token.text : sql.slice(token.start, token.end)
      return isApart && !hugs && !isHugged ? ` ${text}` : text
    })
    .join('')
}

function toQualifiedName(tokens: readonly Token[], script: Script): QualifiedName | undefined {
  const [name, schema, database] = tokens
    .filter((token) => token.kind !== 'symbol')
    .map((token) => storedSpelling(token, script))
    .toReversed()
  return name === undefined ? undefined : { database, schema, name }
}

const KNOWN: ReadonlySet<string> = new Set(
  Object.values(DIALECTS).flatMap(({ types }) => [
    ...Object.values(types.families).flat(),
    ...types.wrappers,
    ...types.contains.map(([text]) => text),
  ]),
)

/** Types of warehouses that are only read as scripts. */
const OTHERS =
  /^(?:varchar2|nvarchar2|n?clob|blob|bfile|long|rowid|raw|binary_(?:float|double)|timestamp|interval)\b/

/** Returns true if any dialect knows a type, or if it is a name that a script defines. */
export function isTypeKnown(type: string | undefined): boolean {
  if (type === undefined) return true
  const base = type
    .toLowerCase()
    .replaceAll(/[`"[\]]/g, '')
    .replace(/[(<].*$/s, '')
    .trim()
  const isListed = KNOWN.has(base) || KNOWN.has(base.split(' ')[0] ?? '') || OTHERS.test(base)
  return isListed || base.includes('.')
}

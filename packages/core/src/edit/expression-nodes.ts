import { DATE_PARTS } from '@stagecraft/dialects'
import { type ExpressionVocabulary } from './expression-vocabulary.ts'

/** The names of the column and the table that the gate wraps around an expression. */
export const OUTPUT = 'stagecraft_output'
export const TABLE = 'stagecraft_table'

type Node = Readonly<Record<string, unknown>>

/** Returns true if the parser found no clause, option or qualifier here. */
function isVoid(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  return typeof value === 'object' && Object.values(value).every(isVoid)
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns true if every member that is not named is void. */
export function hasOnly(node: Node, members: readonly string[]): boolean {
  return Object.entries(node).every(([key, value]) => members.includes(key) || isVoid(value))
}

const SIGNS = ['+', '-', '*', '/', '%', '=', '<>', '!=', '<', '>', '<=', '>=', '||']
const WORDS = [
  'AND',
  'OR',
  'IS',
  'IS NOT',
  'LIKE',
  'NOT LIKE',
  'ILIKE',
  'NOT ILIKE',
  'BETWEEN',
  'NOT BETWEEN',
]
const BINARY = new Set([...SIGNS, ...WORDS])
const LISTS = new Set(['IN', 'NOT IN'])
const UNARY = new Set(['NOT', '-', '+'])

/** Returns true if node-sql-parser has read one select of one allowed expression from the one table. */
export function isAllowedSelect(tree: unknown, vocabulary: ExpressionVocabulary): boolean {
  const select: unknown = Array.isArray(tree) && tree.length === 1 ? tree[0] : tree
  if (!isNode(select) || select['type'] !== 'select' || !hasOnly(select, ['type', 'columns', 'from']))
    return false
  const item = only(select['columns'])
  const table = only(select['from'])
  if (!item || !table || table['table'] !== TABLE || !hasOnly(table, ['table'])) return false
  if (!hasOnly(item, ['type', 'expr', 'as']) || !isNode(item['expr'])) return false
  const alias = item['as'] ?? item['expr']['as'] // Redshift's grammar gives the alias to a `::` cast
  return alias === OUTPUT && isAllowed(item['expr'], vocabulary)
}

function only(list: unknown): Node | undefined {
  const [first, ...rest] = Array.isArray(list) ? (list as unknown[]) : []
  return isNode(first) && rest.length === 0 ? first : undefined
}

type Check = (node: Node, vocabulary: ExpressionVocabulary) => boolean

/** Nodes without parts: their text has been read before. */
const isLiteral: Check = (node) => hasOnly(node, ['type', 'value', 'parentheses'])

/** The allowed kinds of nodes; any other is refused. */
const KINDS: Readonly<Record<string, Check>> = {
  number: isLiteral,
  bigint: isLiteral,
  single_quote_string: isLiteral,
  bool: isLiteral,
  null: isLiteral,
  date: isLiteral,
  time: isLiteral,
  timestamp: isLiteral,
  datetime: isLiteral,
  column_ref: isColumnNode,
  double_quote_string: (node, vocabulary) =>
    vocabulary.dialect.identifiers.quotes[0] === '"' &&
    isLiteral(node, vocabulary) &&
    isColumn(node['value'], vocabulary),
  expr_list: (node, vocabulary) =>
    hasOnly(node, ['type', 'value', 'parentheses']) && areAllowed(node['value'], vocabulary),
  binary_expr: isBinary,
  unary_expr: (node, vocabulary) =>
    hasOnly(node, ['type', 'operator', 'expr', 'parentheses']) &&
    UNARY.has(String(node['operator']).toUpperCase()) &&
    isAllowed(node['expr'], vocabulary),
  case: (node, vocabulary) =>
    hasOnly(node, ['type', 'expr', 'args', 'parentheses']) &&
    (isVoid(node['expr']) || isAllowed(node['expr'], vocabulary)) &&
    areAllowed(node['args'], vocabulary),
  when: (node, vocabulary) =>
    hasOnly(node, ['type', 'cond', 'result']) && areAllowed([node['cond'], node['result']], vocabulary),
  else: (node, vocabulary) => hasOnly(node, ['type', 'result']) && isAllowed(node['result'], vocabulary),
  cast: isCast,
  extract: isExtract,
  interval: (node, vocabulary) =>
    hasOnly(node, ['type', 'expr', 'unit', 'parentheses']) &&
    (isVoid(node['unit']) || isPart(node['unit'])) &&
    isAllowed(node['expr'], vocabulary),
  function: isCall,
}

function isAllowed(node: unknown, vocabulary: ExpressionVocabulary): boolean {
  if (!isNode(node) || typeof node['type'] !== 'string' || !Object.hasOwn(KINDS, node['type'])) return false
  return KINDS[node['type']]?.(node, vocabulary) ?? false
}

function areAllowed(nodes: unknown, vocabulary: ExpressionVocabulary): boolean {
  return Array.isArray(nodes) && nodes.every((node) => isAllowed(node, vocabulary))
}

function isColumn(name: unknown, vocabulary: ExpressionVocabulary): boolean {
  return typeof name === 'string' && (vocabulary.isColumn(name) || vocabulary.isQuotedColumn(name))
}

/**
 * Returns the name in a column node, which is `column: 'a'` in most grammars and `column: { expr: { value:
 * 'a' } }` in the others.
 */
function columnName(node: Node): unknown {
  const { column } = node
  if (!isNode(column)) return column
  const { expr } = column
  return isNode(expr) && hasOnly(column, ['expr']) && hasOnly(expr, ['type', 'value'])
    ? expr['value']
    : undefined
}

function isColumnNode(node: Node, vocabulary: ExpressionVocabulary): boolean {
  const isBare = hasOnly(node, ['type', 'column', 'parentheses', 'options'])
  const inZone = isVoid(node['options']) || isZone(node['options'])
  return isBare && inZone && isColumn(columnName(node), vocabulary)
}

/** `at time zone 'UTC'`, which is attached to the column. */
function isZone(options: unknown): boolean {
  if (!isNode(options) || !hasOnly(options, ['type', 'value', 'separator'])) return false
  const [words, zone, ...rest] = Array.isArray(options['value']) ? (options['value'] as unknown[]) : []
  if (!isNode(words) || !isNode(zone) || rest.length > 0) return false
  return words['value'] === 'at time zone' && zone['type'] === 'single_quote_string'
}

function isBinary(node: Node, vocabulary: ExpressionVocabulary): boolean {
  if (!hasOnly(node, ['type', 'operator', 'left', 'right', 'parentheses'])) return false
  const operator = String(node['operator']).toUpperCase()
  if (LISTS.has(operator))
    return isAllowed(node['left'], vocabulary) && isLiteralList(node['right'], vocabulary)
  return BINARY.has(operator) && areAllowed([node['left'], node['right']], vocabulary)
}

function isLiteralList(node: unknown, vocabulary: ExpressionVocabulary): boolean {
  if (!isNode(node) || node['type'] !== 'expr_list' || !isAllowed(node, vocabulary)) return false
  return (node['value'] as readonly Node[]).every(({ type }) => KINDS[String(type)] === isLiteral)
}

/** The type has been read from the text; here it must be a plain one. */
function isCast(node: Node, vocabulary: ExpressionVocabulary): boolean {
  const isPlain = hasOnly(node, ['type', 'keyword', 'expr', 'symbol', 'target', 'as', 'parentheses'])
  const target = only(node['target'])
  if (!isPlain || !target || !isAllowed(node['expr'], vocabulary)) return false
  const members = ['dataType', 'length', 'scale', 'parentheses', 'suffix']
  return hasOnly(target, members) && /^\w[\w ]*(?:\([\d, ]+\))?$/.test(String(target['dataType']))
}

function isPart(value: unknown): boolean {
  return typeof value === 'string' && DATE_PARTS.has(value.toLowerCase())
}

function isExtract(node: Node, vocabulary: ExpressionVocabulary): boolean {
  const { args } = node
  if (!isNode(args) || !hasOnly(node, ['type', 'args', 'parentheses'])) return false
  return hasOnly(args, ['field', 'source']) && isPart(args['field']) && isAllowed(args['source'], vocabulary)
}

function isCall(node: Node, vocabulary: ExpressionVocabulary): boolean {
  const name = functionName(node['name'])
  const list = node['args']
  if (!hasOnly(node, ['type', 'name', 'args', 'parentheses']) || name === undefined) return false
  if (!isNode(list) || list['type'] !== 'expr_list' || !Array.isArray(list['value'])) return false
  const takesPart = vocabulary.takesPart(name)
  return (
    vocabulary.isFunction(name) &&
    hasOnly(list, ['type', 'value', 'parentheses']) &&
    list['value'].every((argument) => (takesPart && isPartNode(argument)) || isAllowed(argument, vocabulary))
  )
}

/** A name of one part. BigQuery's grammar calls the first part of a name its schema. */
function functionName(name: unknown): string | undefined {
  if (!isNode(name) || !hasOnly(name, ['name', 'schema'])) return undefined
  const parts = [name['schema'], ...(Array.isArray(name['name']) ? (name['name'] as unknown[]) : [])]
  const [first, ...rest] = parts.filter((part) => !isVoid(part))
  if (!isNode(first) || rest.length > 0 || !hasOnly(first, ['type', 'value'])) return undefined
  return typeof first['value'] === 'string' ? first['value'] : undefined
}

function isPartNode(node: unknown): boolean {
  if (!isNode(node)) return false
  if (node['type'] === 'origin') return hasOnly(node, ['type', 'value']) && isPart(node['value'])
  return node['type'] === 'column_ref' && hasOnly(node, ['type', 'column']) && isPart(columnName(node))
}

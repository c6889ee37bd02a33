import { DATE_PARTS } from './expression-functions.ts'
import { hasOnly, isNode, isVoid, OUTPUT, TABLE } from './expression-nodes.ts'
import { type ExpressionVocabulary } from './expression-vocabulary.ts'

type Node = Readonly<Record<string, unknown>>

/** What a kind of node is made of: members that are expressions again, and members that say how it was written. */
interface Kind {
  readonly parts: readonly string[]
  readonly notes?: readonly string[]
}

const ONE: Kind = { parts: ['this'] }
const TWO: Kind = { parts: ['left', 'right'] }
const WITH: Kind = { parts: ['this', 'expression'], notes: ['original_name'] }
const LIKE: Kind = { parts: ['left', 'right'] }
const TRUTH: Kind = { parts: ['this'], notes: ['not', 'postfix_form'] }
const LITERAL: Kind = { parts: [], notes: ['literal_type', 'value'] }

/** Kinds of @polyglot-sql/sdk with plain members. A function that is not here is of kind `function`. */
const KINDS: Readonly<Record<string, Kind>> = {
  literal: LITERAL,
  boolean: LITERAL,
  paren: ONE,
  neg: ONE,
  not: ONE,
  and: TWO,
  or: TWO,
  eq: TWO,
  neq: TWO,
  lt: TWO,
  lte: TWO,
  gt: TWO,
  gte: TWO,
  add: TWO,
  sub: TWO,
  mul: TWO,
  div: TWO,
  mod: TWO,
  concat: TWO,
  like: LIKE,
  i_like: LIKE,
  is_null: TRUTH,
  is_true: TRUTH,
  is_false: TRUTH,
  between: { parts: ['this', 'low', 'high'], notes: ['not'] },
  abs: ONE,
  add_months: WITH,
  ceil: { parts: ['this', 'decimals'] },
  coalesce: { parts: ['expressions'], notes: ['original_name'] },
  contains: WITH,
  day: ONE,
  ends_with: WITH,
  floor: { parts: ['this', 'scale'] },
  hour: ONE,
  if_func: { parts: ['condition', 'true_value', 'false_value'], notes: ['original_name'] },
  initcap: ONE,
  length: ONE,
  lower: ONE,
  minute: ONE,
  mod_func: WITH,
  month: ONE,
  nvl: WITH,
  nvl2: { parts: ['this', 'true_value', 'false_value'] },
  quarter: ONE,
  second: ONE,
  starts_with: WITH,
  str_position: { parts: ['this', 'substr', 'position'] },
  substring: { parts: ['this', 'start', 'length'] },
  trim: { parts: ['this', 'characters'], notes: ['position'] },
  upper: ONE,
  year: ONE,
}

type Check = (members: Node, vocabulary: ExpressionVocabulary) => boolean

/** Kinds whose members are looked at one by one. */
const SPECIAL: Readonly<Record<string, Check>> = {
  column: isColumn,
  function: isCall,
  case: isCase,
  cast: isCast,
  try_cast: isCast,
  in: isList,
  extract: (members, vocabulary) =>
    holds(members, ['this', 'field']) && isPart(members['field']) && isAllowed(members['this'], vocabulary),
  interval: (members, vocabulary) =>
    holds(members, ['this', 'unit']) && isUnit(members['unit']) && isAllowed(members['this'], vocabulary),
}

/** Whether @polyglot-sql/sdk has read one select of one allowed expression from the one table. */
export function isAllowedFallbackSelect(tree: unknown, vocabulary: ExpressionVocabulary): boolean {
  const select = membersOf(only(tree), 'select')
  if (!select || !hasOnly(select, ['expressions', 'from'])) return false
  const { from } = select
  if (!isNode(from) || !hasOnly(from, ['expressions'])) return false
  const table = membersOf(only(from['expressions']), 'table')
  const item = membersOf(only(select['expressions']), 'alias')
  if (!table || !holds(table, ['name']) || !isIdentifier(table['name'], (name) => name === TABLE))
    return false
  const isOurs = item !== undefined && holds(item, ['this', 'alias', 'alias_explicit_as', 'alias_keyword'])
  return (
    isOurs && isIdentifier(item['alias'], (name) => name === OUTPUT) && isAllowed(item['this'], vocabulary)
  )
}

function only(list: unknown): unknown {
  return Array.isArray(list) && list.length === 1 ? (list[0] as unknown) : undefined
}

/** A node is an object with one member, which is named after its kind. */
function membersOf(node: unknown, kind: string): Node | undefined {
  if (!isNode(node) || Object.keys(node).length !== 1) return undefined
  return isNode(node[kind]) ? node[kind] : undefined
}

/** Like `hasOnly`, for members that may also say where in the text they stood. */
function holds(members: Node, names: readonly string[]): boolean {
  return hasOnly(members, [...names, 'span', 'inferred_type'])
}

function isIdentifier(node: unknown, accepts: (name: string, quoted: boolean) => boolean): boolean {
  if (!isNode(node) || !holds(node, ['name', 'quoted']) || typeof node['name'] !== 'string') return false
  return accepts(node['name'], node['quoted'] === true)
}

function isAllowed(node: unknown, vocabulary: ExpressionVocabulary): boolean {
  if (!isNode(node)) return false
  const [kind = '', ...rest] = Object.keys(node)
  if (rest.length > 0) return false
  if (kind === 'null') return isVoid(node[kind])
  const members = node[kind]
  if (!isNode(members)) return false
  if (Object.hasOwn(SPECIAL, kind)) return SPECIAL[kind]?.(members, vocabulary) ?? false
  const rule = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (!rule || !holds(members, [...rule.parts, ...(rule.notes ?? [])])) return false
  return rule.parts.every((part) => areAllowed(members[part], vocabulary))
}

/** One expression, a list of them, or none where a part may be left out. */
function areAllowed(part: unknown, vocabulary: ExpressionVocabulary): boolean {
  if (part === null || part === undefined) return true
  return Array.isArray(part) ? part.every((node) => isAllowed(node, vocabulary)) : isAllowed(part, vocabulary)
}

function isColumn(members: Node, { isColumn, isQuotedColumn }: ExpressionVocabulary): boolean {
  const accepts = (name: string, quoted: boolean): boolean => (quoted ? isQuotedColumn(name) : isColumn(name))
  return holds(members, ['name']) && isIdentifier(members['name'], accepts)
}

function isCall(members: Node, vocabulary: ExpressionVocabulary): boolean {
  const { args, name } = members
  if (!holds(members, ['name', 'args']) || typeof name !== 'string' || !Array.isArray(args)) return false
  const takesPart = vocabulary.takesPart(name)
  return (
    vocabulary.isFunction(name) &&
    args.every((argument) => (takesPart && isPartNode(argument)) || isAllowed(argument, vocabulary))
  )
}

function isPartNode(node: unknown): boolean {
  const column = membersOf(node, 'column')
  return column !== undefined && holds(column, ['name']) && isIdentifier(column['name'], isPart)
}

function isPart(value: unknown): boolean {
  return typeof value === 'string' && DATE_PARTS.has(value.toLowerCase())
}

function isUnit(unit: unknown): boolean {
  if (isVoid(unit)) return true
  return isNode(unit) && hasOnly(unit, ['type', 'unit', 'use_plural']) && isPart(unit['unit'])
}

function isCase(members: Node, vocabulary: ExpressionVocabulary): boolean {
  const { else_: otherwise, operand, whens } = members
  if (!holds(members, ['operand', 'whens', 'else_']) || !Array.isArray(whens)) return false
  const branches = whens.every((branch) => Array.isArray(branch) && areAllowed(branch, vocabulary))
  return branches && areAllowed(operand, vocabulary) && areAllowed(otherwise, vocabulary)
}

/** The type has been read from the text; here it must be a plain one. */
function isCast(members: Node, vocabulary: ExpressionVocabulary): boolean {
  const isPlain = holds(members, ['this', 'to', 'double_colon_syntax'])
  return isPlain && isPlainType(members['to']) && isAllowed(members['this'], vocabulary)
}

function isPlainType(type: unknown): boolean {
  if (!isNode(type)) return false
  const { inner, ...rest } = type
  const isPlain = Object.values(rest).every((value) => value === null || typeof value !== 'object')
  return isPlain && (inner === undefined || inner === null || isPlainType(inner))
}

function isList(members: Node, vocabulary: ExpressionVocabulary): boolean {
  if (!holds(members, ['this', 'expressions', 'not']) || !Array.isArray(members['expressions'])) return false
  return members['expressions'].every(isLiteral) && areAllowed([members['this']], vocabulary)
}

function isLiteral(node: unknown): boolean {
  const value = membersOf(node, 'neg')?.['this'] ?? node
  const literal = membersOf(value, 'literal') ?? membersOf(value, 'boolean')
  if (literal) return holds(literal, ['literal_type', 'value'])
  return isNode(value) && 'null' in value && isVoid(value)
}

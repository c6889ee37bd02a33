import { DATE_PARTS } from '@stagecraft/dialects'
import { hasOnly, isNode, OUTPUT, TABLE } from './expression-nodes.ts'
import { columnsRead, type ExpressionTree, withParts } from './expression-tree.ts'
import type { ExpressionVocabulary } from './expression-vocabulary.ts'

type Node = Readonly<Record<string, unknown>>

/**
 * Kinds of nodes of @polyglot-sql/sdk that no allowed expression has: queries, other tables, aggregates and windows,
 * values of the session.
 */
const FORBIDDEN =
  /^(?:select|subquery|exists|union|intersect|except|star|window\w*|over|.*aggregate\w*|count\w*|sum\w*|max|min|avg|parameter|placeholder|lambda|command|raw|current_\w*|session_\w*|localtime\w*|now|user|rand\w*|uuid\w*|table\w*|join\w*|lateral|unnest|explode|with|cte|insert|update|delete|drop|create|alter|values|pivot|sample|session_parameter|set_\w*|kill|use|load_\w*|next_value_for|hint)$/

/**
 * Returns true if @polyglot-sql/sdk has read one select of one expression, with the same columns, calls and
 * texts as here.
 */
export function agreesWith(ast: unknown, tree: ExpressionTree, vocabulary: ExpressionVocabulary): boolean {
  const expression = soleExpression(ast)
  if (expression === undefined) return false
  const found: Findings = { columns: new Set(), calls: new Set(), texts: new Set(), kinds: new Set() }
  look(expression, found)
  const ours = new Set(columnsRead(tree).map((name) => name.toLowerCase()))
  const texts = ourTexts(tree)
  return (
    ![...found.kinds].some((kind) => FORBIDDEN.test(kind)) &&
    [...found.columns].every((name) => ours.has(name) || DATE_PARTS.has(name) || isField(name, tree)) &&
    [...ours].every((name) => found.columns.has(name)) &&
    [...found.calls].every((name) => isKnownCall(name, vocabulary)) &&
    texts.every((text) => found.texts.has(text))
  )
}

interface Findings {
  readonly columns: Set<string>
  readonly calls: Set<string>
  readonly texts: Set<string>
  readonly kinds: Set<string>
}

function look(node: unknown, found: Findings): void {
  if (Array.isArray(node)) {
    for (const item of node as unknown[]) look(item, found)
    return
  }
  if (typeof node === 'string') found.texts.add(plain(node))
  if (!isNode(node)) return
  for (const [kind, value] of Object.entries(node)) {
    if (isNode(value)) note(kind, value, found)
    look(value, found)
  }
}

/** A node is an object with one member, which is named after its kind. */
function note(kind: string, value: Node, found: Findings): void {
  if (NOTES.has(kind)) return
  found.kinds.add(kind)
  const { name } = value
  if (kind === 'column') {
    found.columns.add(nameIn(name).toLowerCase())
    // a step into a document looks like a column of a table
    if (isNode(value['table'])) found.columns.add(nameIn(value['table']).toLowerCase())
  }
  if (kind === 'function' || kind === 'anonymous') found.calls.add(nameIn(name))
}

/** Members that are parts of a node, but not nodes themselves. */
const NOTES: ReadonlySet<string> = new Set([
  'span',
  'name',
  'this',
  'to',
  'table',
  'unit',
  'left',
  'right',
  'inferred_type',
])

function nameIn(name: unknown): string {
  if (typeof name === 'string') return name
  return isNode(name) && typeof name['name'] === 'string' ? name['name'] : ''
}

function isKnownCall(
  name: string,
  { isCast, isFunction, isTypedConvert, syntax }: ExpressionVocabulary,
): boolean {
  const bare = name.replace(/^safe\./i, '')
  return (
    isFunction(bare) || isCast(bare) || isTypedConvert(bare) || syntax.offsets.includes(bare.toLowerCase())
  )
}

/** Fields of records look like columns to some grammars. */
function isField(name: string, tree: ExpressionTree): boolean {
  return (
    name !== TABLE && withParts(tree).some((part) => part.kind === 'path' && part.key.toLowerCase() === name)
  )
}

/**
 * Returns the texts that both readers see alike. Texts with escapes are left out, because each reader undoes
 * them differently.
 */
function ourTexts(tree: ExpressionTree): readonly string[] {
  return withParts(tree).flatMap((part) =>
    part.kind === 'text' && !part.value.includes('\\') && part.value !== '' ? [plain(part.value)] : [],
  )
}

function plain(text: string): string {
  return text.replaceAll("''", "'").toLowerCase()
}

function soleExpression(ast: unknown): unknown {
  const select = membersOf(only(ast), 'select')
  if (!select || !hasOnly(select, ['expressions', 'from', 'span', 'inferred_type'])) return undefined
  const { from } = select
  if (!isNode(from) || !hasOnly(from, ['expressions'])) return undefined
  const table = membersOf(only(from['expressions']), 'table')
  const item = membersOf(only(select['expressions']), 'alias')
  const isOurs =
    table !== undefined &&
    holds(table, ['name']) &&
    nameIn(table['name']) === TABLE &&
    item !== undefined &&
    holds(item, ['this', 'alias', 'alias_explicit_as', 'alias_keyword']) &&
    nameIn(item['alias']) === OUTPUT
  return isOurs ? [item['this']] : undefined
}

function only(list: unknown): unknown {
  return Array.isArray(list) && list.length === 1 ? (list[0] as unknown) : undefined
}

function membersOf(node: unknown, kind: string): Node | undefined {
  if (!isNode(node) || Object.keys(node).length !== 1) return undefined
  return isNode(node[kind]) ? node[kind] : undefined
}

/** Like `hasOnly`, but accepts the members that give a position in the text. */
function holds(members: Node, names: readonly string[]): boolean {
  return hasOnly(members, [...names, 'span', 'inferred_type'])
}

import type { Dialect, Family } from '@stagecraft/dialects'
import { loadParser } from '../verify/sql-parser.ts'
import { familyOf } from './expression-family.ts'
import { hazardOf } from './expression-hazards.ts'
import { looseLosses } from './expression-loose.ts'
import { isAllowedSelect, OUTPUT, TABLE } from './expression-nodes.ts'
import { onOneLine, readExpressionTokens } from './expression-tokens.ts'
import type { Loss } from './expression-traits.ts'
import type { ExpressionTree } from './expression-tree.ts'
import {
  createVocabulary,
  type ExpressionColumn,
  type ExpressionVocabulary,
} from './expression-vocabulary.ts'
import { agreesWith } from './fallback-nodes.ts'
import { readExpression } from './read-expression.ts'

/**
 * Reads an expression over some columns, or returns its fault: a fixed sentence that may contain names from
 * our own lists, but never text of the expression.
 */
export type ExpressionGate = (
  expression: string,
  columns: readonly ExpressionColumn[],
) => ReadExpression | string

/** An expression that may be used. */
export interface ReadExpression {
  readonly tree: ExpressionTree
  /** On one line, with texts and names as they were. */
  readonly sql: string
  /** The family of the result; undefined if it depends on the data. */
  readonly family: Family | undefined
  /** The losses from reading texts as numbers or times. */
  readonly loose: readonly Loss[]
}

interface ExpressionGateOptions {
  /** Loads one grammar. @default imports the optional package `node-sql-parser` */
  readonly loadGrammar?: typeof loadParser
  /**
   * Loads the parser of the dialects that node-sql-parser has no grammar for.
   * @default imports the optional package `@polyglot-sql/sdk`
   */
  readonly loadFallback?: () => Promise<unknown>
}

/** Checks that a grammar reads a select as exactly the expression that was read here. */
type SelectCheck = (select: string, reading: Reading) => boolean

interface Reading {
  readonly tree: ExpressionTree
  readonly vocabulary: ExpressionVocabulary
}

interface FallbackModule {
  readonly init: () => Promise<void>
  readonly parse: (sql: string, dialect: string) => { readonly success: boolean; readonly ast?: unknown }
}

const FALLBACK_MISSING = 'it can only be checked with the optional package @polyglot-sql/sdk; install it'
const BOTH_MISSING =
  'it can only be checked with the optional packages node-sql-parser and @polyglot-sql/sdk; install them'
const UNREAD = 'an expression must be valid SQL of the dialect'

/**
 * The check of expressions that a language model proposes. Two independent readers must agree: ours, which rejects
 * every unknown word and sign, and then a grammar. The grammar of node-sql-parser comes first, and its tree may only
 * contain listed kinds of nodes. If it cannot read the text, @polyglot-sql/sdk must find the same columns, calls and
 * texts as our reader.
 */
export async function loadExpressionGate(
  dialect: Dialect,
  { loadFallback = () => import('@polyglot-sql/sdk'), loadGrammar = loadParser }: ExpressionGateOptions = {},
): Promise<ExpressionGate> {
  const grammar = await loadGrammarCheck(dialect, loadGrammar)
  const fallback = await loadFallbackCheck(dialect, loadFallback)
  if (grammar === undefined && fallback === undefined)
    return () => (dialect.parsers.nodeSqlParser === undefined ? FALLBACK_MISSING : BOTH_MISSING)
  const checks = [grammar, fallback].filter((check) => check !== undefined)
  return (expression, columns) => {
    const tokens = readExpressionTokens(expression, dialect)
    if (typeof tokens === 'string') return tokens
    const vocabulary = createVocabulary(dialect, columns)
    const tree = readExpression(expression, tokens, vocabulary)
    if (typeof tree === 'string') return tree
    const fault = hazardOf(tree, vocabulary)
    if (fault !== undefined) return fault
    const select = `select ${expression} as ${OUTPUT} from ${TABLE}`
    if (!checks.some((check) => agrees(check, select, { tree, vocabulary })))
      return fallback ? UNREAD : `${UNREAD}; ${FALLBACK_MISSING}`
    const family = (part: ExpressionTree): Family | undefined => familyOf(part, columns, vocabulary)
    const loose = looseLosses(tree, dialect, family)
    return { tree, sql: onOneLine(expression, tokens), family: family(tree), loose }
  }
}

/** Parsers throw on text that they cannot read. */
function agrees(check: SelectCheck, select: string, reading: Reading): boolean {
  try {
    return check(select, reading)
  } catch {
    return false
  }
}

/** Loads a grammar; undefined if there is none, or the package is not installed. */
async function loadGrammarCheck(
  { parsers: { nodeSqlParser: grammar } }: Dialect,
  loadGrammar: typeof loadParser,
): Promise<SelectCheck | undefined> {
  if (grammar === undefined) return undefined
  try {
    const parse = await loadGrammar(grammar)
    return (select, { vocabulary }) => isAllowedSelect(parse(select), vocabulary)
  } catch {
    return undefined
  }
}

/** Loads the other parser; undefined if its package is not installed, or has another interface. */
async function loadFallbackCheck(
  { parsers: { polyglot } }: Dialect,
  loadFallback: () => Promise<unknown>,
): Promise<SelectCheck | undefined> {
  try {
    const { init, parse } = (await loadFallback()) as FallbackModule
    await init()
    return (select, { tree, vocabulary }) => {
      const { ast, success } = parse(select, polyglot)
      return success && agreesWith(ast, tree, vocabulary)
    }
  } catch {
    return undefined
  }
}

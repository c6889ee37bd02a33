import type { Dialect } from '../dialects/dialect.ts'
import { loadParser } from '../verify/sql-parser.ts'
import { isAllowedSelect, OUTPUT, TABLE } from './expression-nodes.ts'
import { readExpressionTokens } from './expression-tokens.ts'
import { createVocabulary, type ExpressionVocabulary } from './expression-vocabulary.ts'
import { FOREIGN_SHAPE, findWordFault } from './expression-words.ts'
import { isAllowedFallbackSelect } from './fallback-nodes.ts'

/**
 * Says what is wrong with an expression; undefined when it may be used. The text is a constant sentence plus
 * at most names from our own lists, never text of the expression.
 */
export type ExpressionGate = (expression: string, columns: readonly string[]) => string | undefined

interface ExpressionGateOptions {
  /**
   * Loads the parser of the dialects that node-sql-parser has no grammar for.
   * @default imports the optional package `@polyglot-sql/sdk`
   */
  readonly loadFallback?: () => Promise<unknown>
}

/** Whether a grammar reads a select as nothing but an allowed expression. */
type SelectCheck = (select: string, vocabulary: ExpressionVocabulary) => boolean

interface FallbackModule {
  readonly init: () => Promise<void>
  readonly parse: (sql: string, dialect: string) => { readonly success: boolean; readonly ast?: unknown }
}

const FALLBACK_MISSING =
  'no expression can be checked for this dialect: install the optional package @polyglot-sql/sdk'

/**
 * The check of expressions that a language model proposes. Two readers that know nothing of each other have
 * to agree: ours, which lets no word and no sign pass that it does not know, and then the grammar of the
 * dialect, whose tree may only have kinds of nodes from a list. DuckDB is read by PostgreSQL's grammar: all
 * that the two read in different ways (lambdas, lists, structs, dots, `#1`) is refused by our reader before.
 */
export async function loadExpressionGate(
  dialect: Dialect,
  { loadFallback = () => import('@polyglot-sql/sdk') }: ExpressionGateOptions = {},
): Promise<ExpressionGate> {
  const isAllowed = await loadSelectCheck(dialect, loadFallback)
  if (isAllowed === undefined) return () => FALLBACK_MISSING
  return (expression, columns) => {
    const tokens = readExpressionTokens(expression, dialect)
    if (typeof tokens === 'string') return tokens
    const vocabulary = createVocabulary(dialect, columns)
    const fault = findWordFault(expression, tokens, vocabulary)
    if (fault !== undefined) return fault
    try {
      const select = `select ${expression} as ${OUTPUT} from ${TABLE}`
      return isAllowed(select, vocabulary) ? undefined : FOREIGN_SHAPE
    } catch {
      return 'an expression must be SQL that the grammar of the dialect reads'
    }
  }
}

async function loadSelectCheck(
  dialect: Dialect,
  loadFallback: () => Promise<unknown>,
): Promise<SelectCheck | undefined> {
  if (dialect.grammar === undefined) return loadFallbackCheck(dialect, loadFallback)
  const parse = await loadParser(dialect.grammar)
  return (select, vocabulary) => isAllowedSelect(parse(select), vocabulary)
}

/** Undefined when the package is not installed, or is not what it was. */
async function loadFallbackCheck(
  { name }: Dialect,
  loadFallback: () => Promise<unknown>,
): Promise<SelectCheck | undefined> {
  try {
    const { init, parse } = (await loadFallback()) as FallbackModule
    await init()
    return (select, vocabulary) => {
      const { ast, success } = parse(select, name)
      return success && isAllowedFallbackSelect(ast, vocabulary)
    }
  } catch {
    return undefined
  }
}

import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'

/** The schema to describe. */
export interface SchemaPlace {
  /** Default: the database of the connection. */
  readonly database?: string | undefined
  readonly schema: string
  /** The requested tables; a statement may ignore it. Default: all. */
  readonly tables?: readonly string[] | undefined
}

/** One statement that reads metadata. */
export interface Statement {
  /** The name of its result: `columns`. */
  readonly name: string
  /** SQL without a semicolon; each value is a `?`, and no other `?` occurs in it. */
  readonly text: string
  readonly values: readonly string[]
  /**
   * True if the catalog may miss its rows, with a warning, because it needs a separate permission. Default
   * false.
   */
  readonly optional?: true
  /** True if it returns only sizes and changes, and runs only if these are needed. Default false. */
  readonly onlySizes?: true
  /** True if it also returns sizes, like the statement `tables`. Default false. */
  readonly withSizes?: true
}

/** Statements whose results are read by those after them, as `$1` for the last one. */
export interface StatementChain {
  readonly before: readonly string[]
  readonly parts: readonly { readonly place: SchemaPlace; readonly statements: readonly Statement[] }[]
}

/** One row by header. The case of headers depends on the warehouse. */
export type Row = Readonly<Record<string, unknown>>

/** The rows by name of their statement; results that were not requested are missing. */
export type Results = Readonly<Partial<Record<string, readonly Row[]>>>

/** Matches a placeholder, or a quoted name, which may contain a question mark. */
const PLACEHOLDER = /"(?:[^"]|"")*"|`(?:[^`\\]|\\[^]|``)*`|\?/g

/**
 * Returns the text of a statement with numbered or named placeholders: `$1`, `{p1:String}`. Positions start
 * at 1.
 */
export function numberPlaceholders({ text, values }: Statement, print: (position: number) => string): string {
  if (values.length === 0) return text // a statement of the caller, whose strings may contain a question mark
  let position = 0
  return text.replaceAll(PLACEHOLDER, (found) => (found === '?' ? print(++position) : found))
}

/** Returns the text of a statement with its values as literals, for people who run it by hand. */
export function inlineValues(statement: Statement, dialect: DialectName): string {
  return numberPlaceholders(statement, (position) =>
    quoteLiteral(statement.values[position - 1] ?? '', dialect),
  )
}

/** Quotes text as a literal of the dialect. */
export function quoteLiteral(text: string, dialect: DialectName): string {
  return `'${escape(text, DIALECTS[dialect].lexing.textEscapes)}'`
}

/** Quotes a name in the dialect, for parts that cannot be parameters, such as a database. */
export function quoteName(name: string, dialect: DialectName): string {
  const { escapes, quotes } = DIALECTS[dialect].identifiers
  return `${quotes[0]}${escape(name, escapes)}${quotes[1]}`
}

function escape(text: string, escapes: Readonly<Record<string, string>>): string {
  return text.replaceAll(/[^\w ]/g, (character) => escapes[character] ?? character)
}

import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'

/** The schema whose tables are described. */
export interface SchemaPlace {
  /** Default: that of the connection. */
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
  /** If it fails, its rows are missing, with a warning: it needs a separate permission. Default false. */
  readonly optional?: true
  /** It only returns sizes and changes, and is run if those are needed. Default false. */
  readonly onlySizes?: true
  /** It also returns sizes, like the one of the tables. Default false. */
  readonly tellsSizes?: true
}

/** One row by header, whose case is that of the warehouse. */
export type Row = Readonly<Record<string, unknown>>

/** Rows by the name of their statement; results that were not requested are missing. */
export type Results = Readonly<Partial<Record<string, readonly Row[]>>>

/** A placeholder, or a name in quotes, which may hold a question mark of its own. */
const PLACEHOLDER = /"(?:[^"]|"")*"|`(?:[^`\\]|\\[^]|``)*`|\?/g

/** The text of a statement with numbered or named placeholders: `$1`, `{p1:String}`. Positions begin at 1. */
export function numberPlaceholders({ text, values }: Statement, print: (position: number) => string): string {
  if (values.length === 0) return text // of the caller's own, whose texts may hold a question mark
  let position = 0
  return text.replaceAll(PLACEHOLDER, (found) => (found === '?' ? print(++position) : found))
}

/** The text of a statement with its values in it, for people who run it by hand. */
export function inlineValues(statement: Statement, dialect: DialectName): string {
  return numberPlaceholders(statement, (position) =>
    quoteLiteral(statement.values[position - 1] ?? '', dialect),
  )
}

/** A text as a literal of the dialect. */
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

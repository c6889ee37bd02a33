import { resolveEscapes } from './escapes.ts'
import type { LexicalRules } from './lexical-rules.ts'
import { UnreadableSql } from './unreadable-sql.ts'

export interface QuoteOptions {
  /** The quote that ends it; written twice it is part of the content. */
  readonly close: string
  readonly backslash: LexicalRules['backslash']
  /** Backslashes stay, although they keep a quote from ending the text: BigQuery's `r'\d'`. */
  readonly raw?: boolean
}

export interface Quoted {
  readonly text: string
  /** The offset behind the closing quote. */
  readonly end: number
}

/**
 * Reads what stands in quotes, from the offset behind the opening one.
 *
 * @throws {UnreadableSql} When the closing quote is missing, or hidden behind a backslash that means two things.
 */
export function readQuoted(sql: string, start: number, options: QuoteOptions): Quoted {
  const { close, raw = false } = options
  const end = findClose(sql, start, options)
  const content = sql.slice(start, end)
  const undoubled = close.length === 1 ? content.replaceAll(close + close, close) : content
  const text = options.backslash === 'escape' && !raw ? resolveEscapes(undoubled) : undoubled
  return { text, end: end + close.length }
}

function findClose(sql: string, start: number, { backslash, close }: QuoteOptions): number {
  let at = start
  for (;;) {
    const end = sql.indexOf(close, at)
    if (end < 0) throw new UnreadableSql(start - close.length, `a closing ${close}`, 'the end of the file')
    const isEscaped = backslash !== 'plain' && countBackslashes(sql, start, end) % 2 === 1
    if (isEscaped && backslash === 'ask') throw twofold(end - 1, close)
    const isDoubled = close.length === 1 && sql[end + 1] === close
    if (!isEscaped && !isDoubled) return end
    at = end + (isEscaped ? 1 : 2)
  }
}

/** Counts the backslashes right before an offset: an odd number escapes the next character. */
function countBackslashes(sql: string, start: number, end: number): number {
  let at = end
  while (at > start && sql[at - 1] === '\\') at--
  return end - at
}

function twofold(offset: number, close: string): UnreadableSql {
  const expected = 'a dialect (add ?dialect=… to the catalog), because this is read differently in each'
  return new UnreadableSql(offset, expected, `\\${close}`)
}

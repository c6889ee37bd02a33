import type { LexicalRules } from '../sql/lexical-rules.ts'

const BEFORE_ROW = /[\s,]*/y

/**
 * One row of values with at most one function call in each, without a comment in it. A text with a backslash is read as
 * the dialect reads it; where nobody knows how, it is left to the tokenizer.
 */
const ROWS: Readonly<Record<LexicalRules['backslash'], RegExp>> = {
  ask: rowPattern(/'[^'\\]*'/),
  plain: rowPattern(/'[^']*'/),
  escape: rowPattern(/'[^'\\]*(?:\\[^][^'\\]*)*'/),
}

function rowPattern({ source: text }: RegExp): RegExp {
  const other = '[^()\'"`$/#-]*'
  const values = (more: string): string => `${other}(?:(?:${text}|-(?!-)${more})${other})*`
  return new RegExp(`\\(${values(`|\\(${values('')}\\)`)}\\)`, 'y')
}

/**
 * Returns the offset behind the rows of an INSERT that stand at an offset one after the other, as far as they are plain: the
 * rest is for the tokenizer. Every character is looked at once.
 */
export function skipRows(sql: string, start: number, { backslash }: Pick<LexicalRules, 'backslash'>): number {
  const row = ROWS[backslash]
  let end = start
  for (;;) {
    BEFORE_ROW.lastIndex = end
    BEFORE_ROW.exec(sql)
    row.lastIndex = BEFORE_ROW.lastIndex
    if (!row.test(sql)) return end
    end = row.lastIndex
  }
}

import type { LexicalRules } from './lexical-rules.ts'
import { UnreadableSql } from './unreadable-sql.ts'

const BLANK = /\s*/y

/** The start of the next token, and if a line began before it. */
export interface Gap {
  readonly end: number
  readonly startsLine: boolean
}

/** Matches comments that MySQL and MariaDB run: `/*!50001 CREATE VIEW …`; version 99999 never comes. */
const CONDITIONAL = /\/\*(?:M!|!)(?:(?!99999)\d{5,6})?(?=\s)|\*\//y

/**
 * Skips blanks and comments. What stands in a conditional comment of MySQL is read as if the comment were not there.
 *
 * @throws {UnreadableSql} For a comment without end.
 */
export function skipGap(sql: string, start: number, rules: LexicalRules): Gap {
  let at = start
  let startsLine = start === 0 || sql[start - 1] === '\n'
  for (;;) {
    BLANK.lastIndex = at
    const [blank = ''] = BLANK.exec(sql) ?? []
    startsLine ||= blank.includes('\n')
    at += blank.length
    const end = commentEnd(sql, at, rules, startsLine)
    if (end === undefined) return { end: at, startsLine }
    at = end
  }
}

function commentEnd(sql: string, at: number, rules: LexicalRules, startsLine: boolean): number | undefined {
  if (rules.conditionalComments) {
    CONDITIONAL.lastIndex = at
    const mark = CONDITIONAL.exec(sql)
    if (mark) return at + mark[0].length
  }
  if (sql.startsWith('/*', at)) return blockEnd(sql, at, rules.nestedComments)
  const isHash = sql[at] === '#' && rules.hashStartsLine && startsLine
  const isLine =
    isHash || sql.startsWith('--', at) || rules.lineComments.some((opening) => sql.startsWith(opening, at))
  if (!isLine) return undefined
  const end = sql.indexOf('\n', at)
  return end < 0 ? sql.length : end
}

function blockEnd(sql: string, start: number, nested: boolean): number {
  const mark = nested ? /\/\*|\*\//g : /\*\//g
  mark.lastIndex = start + 2
  let depth = 1
  for (let found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  throw new UnreadableSql(start, 'a closing */', 'the end of the file')
}

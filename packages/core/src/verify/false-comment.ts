import type { Dialect } from '@stagecraft/dialects'
import { renderJinja } from './sql-parser.ts'

/**
 * Finds text that looks like a comment, but is not one in this dialect, so the warehouse would run it: MySQL reads
 * `---- ids` as minus signs before the next column and silently returns wrong values.
 *
 * @param sql A rendered template, with its Jinja.
 * @returns The fault, or undefined.
 */
export function findFalseComment(sql: string, dialect: Dialect): string | undefined {
  const text = renderJinja(sql)
  for (let at = 0; at < text.length;) {
    const end = endOfQuotes(text, at, dialect) ?? endOfComment(text, at, dialect)
    const fault = faultAt(text, at, { end, dialect })
    if (fault !== undefined) return fault
    at = end ?? at + 1
  }
  return undefined
}

interface Place {
  /** The end of the comment or quoted text that begins here; undefined if none does. */
  readonly end: number | undefined
  readonly dialect: Dialect
}

function faultAt(text: string, at: number, { dialect, end }: Place): string | undefined {
  const {
    lexing: { comments },
    name,
  } = dialect
  const line = JSON.stringify((text.slice(at, at + 200).split('\n')[0] ?? '').trim().slice(0, 60))
  if (end === UNCLOSED) return `${line} opens a comment that is never closed in ${name}`
  const notComment = (why: string): string => `${line} is not a comment in ${name}: ${why}`
  if (comments.executed.some((opening) => text.startsWith(opening, at)))
    return notComment('it runs the content of the comment')
  if (end !== undefined) return undefined
  if (text.startsWith('--', at))
    return notComment(`it needs a space after the dashes; begin it with "${comments.line}"`)
  if (/^\*\/(?!\*)/.test(text.slice(at, at + 3))) return notComment('comments do not nest there')
  const isHash = /^(?:#(?![>&-])|\/\/)/.test(text.slice(at, at + 2))
  const isFirst = isHash && text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === ''
  return isFirst ? notComment(`begin it with "${comments.line}"`) : undefined
}

const UNCLOSED = -1

/** Returns the end of the text or quoted name that begins here; undefined if none begins. */
function endOfQuotes(text: string, at: number, { identifiers, lexing }: Dialect): number | undefined {
  const quote = text[at]
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined
  const isName = quote === identifiers.quotes[0]
  const escapes = '\\' in (isName ? identifiers.escapes : lexing.textEscapes)
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\' && escapes) end++
    else if (text[end] === quote) return end + 1 // a doubled quote opens the next text
  }
  return text.length
}

/** Returns the end of the comment that begins here; undefined if none begins. */
function endOfComment(text: string, at: number, { lexing: { comments } }: Dialect): number | undefined {
  if (text.startsWith('/*', at)) return endOfBlock(text, at, comments.nested)
  const dashes = comments.line === '--' ? /^--/ : /^--(?=\s|$)/
  const isLine =
    dashes.test(text.slice(at, at + 3)) || comments.alsoLine.some((opening) => text.startsWith(opening, at))
  if (!isLine) return undefined
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function endOfBlock(text: string, at: number, isNested: boolean): number {
  const marks = /\/\*|\*\//g
  marks.lastIndex = at + 2
  for (let depth = 1, mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '*/') depth--
    else if (isNested) depth++
    if (depth === 0) return marks.lastIndex
  }
  return UNCLOSED
}

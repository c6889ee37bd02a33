import type { Dialect } from './dialect.ts'

type Quoting = Pick<Dialect['identifiers'], 'escapes' | 'quotes'>

/** The quoting that a name shows by itself where the warehouse is not known. */
const DOUBLE_QUOTES: Quoting = { quotes: ['"', '"'], escapes: { '"': '""' } }
const BACKTICKS: Quoting = { quotes: ['`', '`'], escapes: { '`': '``' } }

/**
 * Returns the stored name of a database, schema or table as the YAML of dbt spells it. dbt puts quotes around it, but escapes
 * nothing inside them: the table `a"b` of PostgreSQL is `identifier: a""b`. A text with quotes of its own, for where dbt writes
 * none, is the name between them.
 *
 * @param dialect Undefined where nothing tells the warehouse: a doubled quote of either kind is then one.
 */
export function readRelationPart(written: string, dialect: Dialect | undefined): string {
  const quoting = dialect?.identifiers ?? (written.includes('"') ? DOUBLE_QUOTES : BACKTICKS)
  const [open, close] = quoting.quotes
  const whole = unescape(written, quoting)
  const isQuoted = written.length > 2 && written.startsWith(open) && written.endsWith(close)
  if (whole.isRead || !isQuoted) return whole.name
  const inner = unescape(written.slice(1, -1), quoting)
  return inner.isRead ? inner.name : whole.name
}

/** Undoes escapes. No warehouse reads a name in which a quote stands alone. */
function unescape(text: string, { escapes }: Quoting): { readonly name: string; readonly isRead: boolean } {
  const meant = new Map(Object.entries(escapes).map(([character, escaped]) => [escaped, character]))
  let name = ''
  let isRead = true
  for (let at = 0; at < text.length; at++) {
    const character = meant.get(text.slice(at, at + 2))
    const next = text[at] ?? ''
    if (character === undefined && next in escapes) isRead = false
    if (character !== undefined) at++
    name += character ?? next
  }
  return { name, isRead }
}

import type { Dialect } from './dialect.ts'

type Quoting = Pick<Dialect['identifiers'], 'escapes' | 'quotes'>

/** The quoting that is assumed for an unknown warehouse. */
const DOUBLE_QUOTES: Quoting = { quotes: ['"', '"'], escapes: { '"': '""' } }
const BACKTICKS: Quoting = { quotes: ['`', '`'], escapes: { '`': '``' } }

/**
 * Returns the stored name of a database, schema or table from its spelling in the YAML of dbt. dbt adds
 * quotes, but does not escape the name: the table `a"b` of PostgreSQL is `identifier: a""b`. If the text
 * itself has quotes, for an adapter that adds none, the name is between them.
 *
 * @param dialect Undefined if the warehouse is unknown. A doubled quote of either kind is then read as one.
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

/** Undoes escapes. `isRead` is false for a name with a quote that is not escaped, which no warehouse reads. */
function unescape(text: string, { escapes }: Quoting): { readonly name: string; readonly isRead: boolean } {
  const characters = new Map(Object.entries(escapes).map(([character, escaped]) => [escaped, character]))
  let name = ''
  let isRead = true
  for (let at = 0; at < text.length; at++) {
    const character = characters.get(text.slice(at, at + 2))
    const next = text[at] ?? ''
    if (character === undefined && next in escapes) isRead = false
    if (character !== undefined) at++
    name += character ?? next
  }
  return { name, isRead }
}

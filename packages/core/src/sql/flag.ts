import type { Dialect } from '@stagecraft/dialects'
import type { Column } from '@stagecraft/spec'
import { FLAG_WORDS, STATEMENT_WORDS } from '../naming/rules.ts'
import { toSnakeCase } from '../naming/tokens.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words that say of a row whether it is so. Participles (`deleted`, `verified`) are told by their ending. */
const STATES = words(`
  active inactive available current default done hidden hot internal external mandatory new online offline open
  optional paid primary private public read required sent shown sold spam test valid invalid visible
`)

/** `deleted`, `email_verified`, but not `speed`, `feed` and `seed`. */
const PARTICIPLE = /[a-z]{2}[^e]ed$/

/**
 * Returns true if a column of a type that may be a boolean is one. That takes evidence, because `tinyint(1)`
 * holds numbers up to 127 as well. Evidence is a list of values 0 and 1, or a name that makes a statement.
 */
export function isFlag({ name, type, values }: Column, { types }: Dialect): boolean {
  if (!types.mayBeBoolean.includes(type.toLowerCase().replaceAll(' ', ''))) return false
  if (values !== undefined) return values.every((value) => /^(?:[01]|true|false)$/i.test(String(value)))
  const parts = toSnakeCase(name).split('_').filter(Boolean)
  const last = parts.at(-1) ?? ''
  return (
    (parts.length > 1 && STATEMENT_WORDS.has(parts[0] ?? '')) ||
    FLAG_WORDS.has(last) ||
    STATES.has(last) ||
    PARTICIPLE.test(last)
  )
}

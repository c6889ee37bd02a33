import { type Cursor, UnreadableSql } from '../sql/cursor.ts'
import type { Script } from './script.ts'

/**
 * Matches a part of a name that is filled in before the script runs: `{{ name }}`, `${name}`, `{name}`, `<name>`,
 * `<%= name %>` and sqlcmd's `$(name)`, also beside other characters, as in `orders_<env>`; and `%name%`,
 * `%(name)s`, `:name`, `@name.`, `&name` and `identifier(:name)`.
 */
const PLACEHOLDER =
  /\w*(?:(?:\{\{[^{}]*\}\}|[$#]?\{\w+\}|\$\(\w+\)|<%[^%>]*%>|<\w+>)\w*)+|%(?:\w+%|\(\w+\)s)|:\w+|@\w+(?=\.)|&{1,2}\w+|identifier\s*\(\s*[:$][^()]*\)/iy

/** Takes a part of a name that a placeholder leaves open, and returns it as written. */
export function takePlaceholder(cursor: Cursor, { sql }: Pick<Script, 'sql'>): string | undefined {
  const token = cursor.peek()
  if (!token) return undefined
  if (token.quote === '[' && /\$\(\w+\)/.test(token.text)) return cursor.next()?.text
  PLACEHOLDER.lastIndex = token.start
  const [text] = token.kind === 'word' || token.kind === 'symbol' ? (PLACEHOLDER.exec(sql) ?? []) : []
  if (text === undefined) return undefined
  for (let next = cursor.peek(); next && next.start < token.start + text.length; next = cursor.peek())
    cursor.next()
  return text
}

/** Reports a placeholder once per script. The level that it names stays open. */
export function reportPlaceholder(text: string, start: number, script: Script): void {
  if (!script.placeholders?.has(text)) script.skip?.(noValue(text, start))
  script.placeholders?.add(text)
}

/** Creates the error for a name that a placeholder leaves open. */
export function noValue(text: string, start: number): UnreadableSql {
  return new UnreadableSql(start, 'a name', `${text}, a placeholder without a value,`)
}

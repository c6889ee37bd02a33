import type { Dialect } from '@stagecraft/dialects'

/** Returns the stored name that an unquoted reference means. */
export function foldCase(name: string, dialect: Dialect): string {
  const { folds } = dialect.identifiers
  if (folds === 'none') return name
  return folds === 'upper' ? name.toUpperCase() : name.toLowerCase()
}

/** Returns true if SQL gives the word its own meaning, so it cannot name a column without quotes. */
export function isReserved(name: string, dialect: Dialect): boolean {
  const word = name.toLowerCase()
  return dialect.words.reserved.has(word) || dialect.words.evaluated.has(word)
}

/** Returns true if a stored name needs quotes in SQL. */
export function needsQuotes(name: string, dialect: Dialect): boolean {
  if (!dialect.identifiers.plain.test(name)) return true
  return foldCase(name, dialect) !== name || isReserved(name, dialect)
}

/** Escapes a stored name for use between quotes: for SQL, but not for Jinja. */
export function escapeIdentifier(name: string, dialect: Dialect): string {
  return replaceCharacters(name, dialect.identifiers.escapes)
}

/** Prints a stored name in quotes, escaped for SQL but not for Jinja. */
export function quoteIdentifier(name: string, dialect: Dialect): string {
  const [open, close] = dialect.identifiers.quotes
  return open + escapeIdentifier(name, dialect) + close
}

/**
 * Prints a stored name as generated SQL refers to it: in quotes if it needs them; else in lower case, as dbt projects
 * do, if case does not matter.
 */
export function printIdentifier(name: string, dialect: Dialect): string {
  if (needsQuotes(name, dialect)) return escapeJinja(quoteIdentifier(name, dialect))
  return dialect.identifiers.folds === 'upper' ? name.toLowerCase() : name
}

/** Escapes a text for use between single quotes in SQL. */
export function escapeText(text: string, dialect: Dialect): string {
  return replaceCharacters(text, dialect.lexing.textEscapes)
}

/** Prints a text as a SQL literal, escaped for SQL and for Jinja. */
export function printLiteral(text: string, dialect: Dialect): string {
  return `'${escapeJinja(escapeText(text, dialect))}'`
}

function replaceCharacters(text: string, replacements: Readonly<Record<string, string>>): string {
  return text.replace(/[\\"'`\]]/g, (character) => replacements[character] ?? character)
}

const encoder = new TextEncoder()

/** Returns the length in bytes, by which warehouses limit names. */
export function byteLength(text: string): number {
  return isAscii(text) ? text.length : encoder.encode(text).length
}

/** Returns true if the text has only printable ASCII characters, like nearly all names. */
export function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

/**
 * Matches the opening of a Jinja expression, statement or comment, and the close of a comment that nothing
 * opened.
 */
const MARKS = /\{[{%#]|#\}/g

/**
 * Makes text from a warehouse safe in a file that dbt renders: a mark becomes an expression that
 * prints the mark, so that the rendered file holds the text as it was.
 */
export function escapeJinja(text: string): string {
  return text.includes('{') || text.includes('#}') ? text.replace(MARKS, (mark) => `{{ '${mark}' }}`) : text
}

/**
 * Matches text that dbt runs without marks if it is the whole of a test's argument
 * (`add_rendered_test_kwargs`).
 */
const CALL = /^\s*(?:env_var|ref|var|source|doc)\s*\(/

/** Returns true if dbt would run the text, or part of it, as an argument of a test. */
export function runsInTest(text: string): boolean {
  return hasJinja(text) || CALL.test(text)
}

/** Returns true if dbt would run part of the text. */
function hasJinja(text: string): boolean {
  return text.search(MARKS) >= 0
}

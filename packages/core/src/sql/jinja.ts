/** What opens a Jinja expression, statement or comment. */
const OPENERS = /\{[{%#]/g

/**
 * Makes text from a warehouse safe in a file that dbt renders: an opener becomes an expression that
 * prints the opener, so that the rendered file holds the text as it was.
 */
export function escapeJinja(text: string): string {
  return text.replace(OPENERS, (opener) => `{{ '${opener}' }}`)
}

/** Whether dbt would run part of the text. */
export function hasJinja(text: string): boolean {
  return text.search(OPENERS) >= 0
}

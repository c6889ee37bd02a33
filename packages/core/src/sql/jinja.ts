/** What opens a Jinja expression, statement or comment, and what closes a comment that nothing opened. */
const MARKS = /\{[{%#]|#\}/g

/**
 * Makes text from a warehouse safe in a file that dbt renders: a mark becomes an expression that
 * prints the mark, so that the rendered file holds the text as it was.
 */
export function escapeJinja(text: string): string {
  return text.replace(MARKS, (mark) => `{{ '${mark}' }}`)
}

/** Whether dbt would run part of the text. */
export function hasJinja(text: string): boolean {
  return text.search(MARKS) >= 0
}

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
  return text.replace(MARKS, (mark) => `{{ '${mark}' }}`)
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

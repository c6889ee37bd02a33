/** A text as a literal of standard SQL, where nothing but the quote has to be escaped. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

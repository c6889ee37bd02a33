import type { Description } from '../plan/plan.ts'
import { isAscii } from '../sql/identifiers.ts'
import { escapeJinja } from '../sql/jinja.ts'

/**
 * A description as a property file holds it. Only the user's own text may hold Jinja (`{{ doc('x') }}`);
 * from anywhere else it is escaped, because dbt would run it. Control characters, which YAML forbids, go.
 */
export function printDescription(description: Description | undefined): string | undefined {
  if (!description) return undefined
  const text = isAscii(description.text) ? description.text.trim() : cleanText(description.text)
  return description.origin === 'user' ? text : escapeJinja(text)
}

function cleanText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- these are what has to go
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]/g, '')
      .replace(/\p{Surrogate}/gu, '')
      .trim()
  )
}

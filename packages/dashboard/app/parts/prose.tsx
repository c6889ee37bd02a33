import type { ComponentChildren } from 'preact'

/** Shows text between backticks as code, and everything else as it is. */
export function withCode(text: string): ComponentChildren {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (/^`.+`$/.test(part) ? <code key={index}>{part.slice(1, -1)}</code> : part))
}

import { NO_STATES, STATES } from './rules.ts'

/** Whether the word says what something is, was made or can be: `active`, `verified`, `taxable`. */
export function isState(word: string): boolean {
  return STATES.has(word) || isParticiple(word) || /[a-z]{3}[ai]ble$/.test(word)
}

const IRREGULAR: ReadonlySet<string> = new Set(
  'built bought done given hidden known lost made paid read seen sent shown sold spent taken won written'.split(
    ' ',
  ),
)

/** Whether the word says that something was done: `created`, `sent`. */
export function isParticiple(word: string): boolean {
  return IRREGULAR.has(word) || (/[a-z]{2}ed$/.test(word) && !NO_STATES.has(word))
}

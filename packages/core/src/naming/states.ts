import { NO_STATES, STATES } from './rules.ts'

/** Returns true if the word names a state: `active`, `verified`, `taxable`. */
export function isState(word: string): boolean {
  return STATES.has(word) || isParticiple(word) || /[a-z]{3}[ai]ble$/.test(word)
}

const IRREGULAR: ReadonlySet<string> = new Set(
  'built bought done given hidden known lost made paid read seen sent shown sold spent taken won written'.split(
    ' ',
  ),
)

/** Returns true if the word is a past participle: `created`, `sent`. */
export function isParticiple(word: string): boolean {
  return IRREGULAR.has(word) || (/[a-z]{2}ed$/.test(word) && !NO_STATES.has(word))
}

import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones. */
const RESERVED: readonly string[] = splitWords(`
  anti lateral minus semi
`)

export const words: WordRules = {
  pages: ['https://docs.databricks.com/en/sql/language-manual/sql-ref-reserved-words.html'],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED]),
  evaluated: new Set(['current_date', 'current_timestamp', 'current_user', 'session_user', 'user']),
}

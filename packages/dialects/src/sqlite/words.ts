import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones; measured. */
const RESERVED: readonly string[] = splitWords(`
  add alter autoincrement check collate commit constraint current_date current_time
  current_timestamp deferrable escape index isnull nothing notnull raise returning transaction
`)

export const words: WordRules = {
  pages: ['https://www.sqlite.org/lang_keywords.html'],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED]),
  evaluated: new Set(['current_date', 'current_time', 'current_timestamp']),
}

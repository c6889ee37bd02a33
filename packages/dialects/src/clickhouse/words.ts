import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

export const words: WordRules = {
  pages: ['https://clickhouse.com/docs/sql-reference/syntax'],
  reserved: new Set(COMMON_RESERVED), // keywords are not reserved, but confuse readers
  evaluated: new Set(['current_date', 'current_timestamp', 'current_user']), // columns today, but readers expect functions
}

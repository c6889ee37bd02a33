import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones. */
const RESERVED: readonly string[] = splitWords(`
  analyse analyze anti array asof asymmetric at authorization binary both check collate collation
  column concurrently constraint deferrable describe do fetch freeze glob ilike initially isnull
  lambda lateral leading minus notnull offset only overlaps pivot pivot_longer pivot_wider placing
  positional qualify returning semi show similar some summarize symmetric tablesample trailing
  unpack unpivot variadic verbose window
`)

export const words: WordRules = {
  pages: ['https://duckdb.org/docs/stable/sql/dialect/keywords_and_identifiers'],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED]),
  evaluated: new Set([
    'current_date',
    'current_time',
    'current_timestamp',
    'current_user',
    'session_user',
    'user',
  ]),
}

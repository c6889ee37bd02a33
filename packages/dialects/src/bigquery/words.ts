import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones. */
const RESERVED: readonly string[] = splitWords(`
  aggregate array assert_rows_modified at clone collate contains corresponding cube current define
  enum escape exclude extend extract fetch following grouping groups hash if ignore include
  interval lateral lookup match_recognize merge new no nulls of over partition pivot preceding
  proto qualify range recursive respect rollup rows some struct tablesample treat unbounded unnest
  unpivot window within
`)

export const words: WordRules = {
  pages: ['https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical'],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED]),
  evaluated: new Set(['current_date', 'current_datetime', 'current_time', 'current_timestamp']),
}

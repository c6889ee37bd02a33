import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones. */
const RESERVED: readonly string[] = splitWords(`
  account alter check column connect connection constraint current current_date current_time
  current_timestamp current_user database following grant gscluster ilike increment issue lateral
  localtime localtimestamp match_recognize minus of organization qualify regexp revoke rlike row
  rows sample schema some start tablesample trigger try_cast view whenever
`)

export const words: WordRules = {
  pages: ['https://docs.snowflake.com/en/sql-reference/reserved-keywords'],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED]),
  evaluated: new Set([
    'current_date',
    'current_time',
    'current_timestamp',
    'current_user',
    'localtime',
    'localtimestamp',
  ]),
}

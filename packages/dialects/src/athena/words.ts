import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'
import { TRINO_RESERVED } from '../trino/words.ts'

/** Reserved words in addition to the common ones. */
const RESERVED: readonly string[] = splitWords(`
  alter array authorization bigint binary boolean both cache char column commit conf constraint
  cube current current_date current_timestamp cursor database decimal describe double exchange
  external extract fetch float floor following function grant grouping if import int integer
  interval lateral less local macro map more none numeric of only out over partialscan partition
  percent preceding precision prepare preserve procedure range reads reduce regexp revoke rlike
  rollback rollup smallint sync tablesample transform trigger truncate unbounded uniquejoin
  utc_tmestamp varchar
`)

export const words: WordRules = {
  pages: ['https://docs.aws.amazon.com/athena/latest/ug/reserved-words.html'],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED, ...TRINO_RESERVED]),
  evaluated: new Set([
    'current_date',
    'current_time',
    'current_timestamp',
    'current_user',
    'localtime',
    'localtimestamp',
  ]),
}

import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones. */
export const TRINO_RESERVED: readonly string[] = splitWords(`
  alter connect constraint cube current_catalog current_date current_path current_role
  current_schema current_time current_timestamp current_user deallocate describe escape execute
  extract function grouping ilike json_array json_exists json_object json_query json_table
  json_value listagg localtime localtimestamp normalize prepare recursive rollup skip trim uescape
  unnest
`)

export const words: WordRules = {
  pages: ['https://trino.io/docs/current/language/reserved.html'],
  reserved: new Set([...COMMON_RESERVED, ...TRINO_RESERVED]),
  evaluated: new Set([
    'current_catalog',
    'current_date',
    'current_path',
    'current_role',
    'current_schema',
    'current_time',
    'current_timestamp',
    'current_user',
    'localtime',
    'localtimestamp',
  ]),
}

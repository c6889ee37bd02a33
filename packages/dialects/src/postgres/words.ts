import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones. */
const RESERVED: readonly string[] = splitWords(`
  analyse analyze array asymmetric authorization binary both check collate collation column
  concurrently connect constraint current_catalog current_date current_role current_schema
  current_time current_timestamp current_user deferrable do fetch freeze grant ilike initially
  isnull lateral leading localtime localtimestamp notnull offset only overlaps placing returning
  session_user similar some symmetric tablesample trailing user variadic verbose window
`)

export const words: WordRules = {
  pages: ['https://www.postgresql.org/docs/current/sql-keywords-appendix.html'],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED]),
  evaluated: new Set([
    'current_catalog',
    'current_date',
    'current_role',
    'current_schema',
    'current_time',
    'current_timestamp',
    'current_user',
    'localtime',
    'localtimestamp',
    'session_user',
    'system_user',
    'user',
  ]),
}

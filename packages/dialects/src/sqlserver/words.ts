import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones. */
const RESERVED: readonly string[] = splitWords(`
  add alter authorization backup begin break browse bulk cascade check checkpoint close clustered
  coalesce collate column commit compute constraint contains containstable continue convert
  current current_date current_time current_timestamp current_user cursor database dbcc deallocate
  declare definition deny disk distributed double dump errlvl escape exec execute exit external
  fetch file fillfactor freetext freetexttable function go goto grant holdlock identity
  identity_insert identitycol if index key kill lineno load merge national nocheck nonclustered
  nullif of off offsets open opendatasource openquery openrowset openxml option over percent pivot
  plan precision print proc procedure public raiserror read readtext reconfigure replication
  restore restrict return revert revoke rollback rowcount rowguidcol rule save schema
  securityaudit semantickeyphrasetable semanticsimilaritydetailstable semanticsimilaritytable
  session_user setuser shutdown some statistics system_user tablesample textsize top tran
  transaction trigger truncate try_convert tsequal unpivot updatetext use user varying view
  waitfor while writetext
`)

export const words: WordRules = {
  pages: ['https://learn.microsoft.com/en-us/sql/t-sql/language-elements/reserved-keywords-transact-sql'],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED]),
  evaluated: new Set([
    'current_date',
    'current_timestamp',
    'current_user',
    'session_user',
    'system_user',
    'user',
  ]),
}

const STORED =
  /^INSERT INTO sqlite_(?:schema|master)\s*\(type,name,tbl_name,rootpage,sql\)\s*VALUES\s*\('table',(?:'(?:[^']|'')*',){2}0,'((?:[^']|'')*)'\);/gim

/**
 * Puts the statements of virtual tables in place of the rows by which a dump of SQLite stores them.
 * https://www.sqlite.org/cli.html#converting_an_entire_database_to_a_text_file
 */
export function restoreStatements(sql: string): string {
  return sql.includes('sqlite_')
    ? sql.replace(STORED, (_, text: string) => `${text.replaceAll("''", "'")};`)
    : sql
}

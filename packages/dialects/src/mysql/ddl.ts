import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://dev.mysql.com/doc/refman/8.4/en/create-table.html',
    'https://dev.mysql.com/doc/refman/8.4/en/alter-table.html',
    'https://dev.mysql.com/doc/refman/8.4/en/comments.html',
    'https://dev.mysql.com/doc/refman/8.4/en/create-table-foreign-keys.html',
    'https://dev.mysql.com/doc/refman/8.4/en/sql-mode.html',
    'https://mariadb.com/kb/en/sql-mode/',
  ],
  signs: [
    {
      sign: 'the header of mysqldump',
      pattern: /^-- (?:MySQL|MariaDB) dump |^-- phpMyAdmin SQL Dump/m,
      isInComments: true,
      weight: 3,
    },
    {
      sign: 'ENGINE=',
      pattern:
        /\bENGINE\s*=\s*(?:InnoDB|MyISAM|Aria|MEMORY|HEAP|ARCHIVE|CSV|FEDERATED|NDB(?:CLUSTER)?|RocksDB)\b/i,
      weight: 3,
    },
    { sign: 'AUTO_INCREMENT', pattern: /\bAUTO_INCREMENT\b/i, weight: 2 },
    {
      sign: 'a conditional comment',
      pattern: /\/\*!\d{5,6} /,
      isInComments: true,
      weight: 2,
    },
  ],
  kin: [],
  backslashEscapes: true,
  // the modes that include ANSI_QUOTES; mysqldump --compatible=ansi sets one of them
  namesInDoubleQuotes:
    /\bSQL_MODE\s*:?=\s*(?:CONCAT\s*\([^)]*)?'[^']*\b(?:ANSI|ANSI_QUOTES|DB2|MAXDB|MSSQL|ORACLE|POSTGRESQL)\b/i,
  typeSchema: 'mariadb_schema',
  quotedPaths: false,
  textsAsNames: false,
  useNames: 'schema',
  createUses: false,
  hasBatches: false,
  repeatsVerb: false,
  modify: 'whole',
  inlineKeys: true,
  inlineIndexes: true,
  skippingIndexes: false,
  columnsNeedType: true,
  anyWordsAreType: false,
  typesSayNull: false,
  storedTypes: { bool: 'tinyint(1)', boolean: 'tinyint(1)' },
  primaryKey: 'unique and required',
  enforcesKeys: true,
  passingNames: undefined,
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  copiesWithColumns: ['column comments', 'table comment', 'keys', 'checks'],
  assignsAliases: false,
  constraintNames: 'mysql',
  dropColumnNarrowsKeys: true,
  listBesideQuery: 'columns',
}

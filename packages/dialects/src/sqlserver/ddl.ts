import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://learn.microsoft.com/en-us/sql/t-sql/statements/create-table-transact-sql',
    'https://learn.microsoft.com/en-us/sql/t-sql/statements/alter-table-transact-sql',
    'https://learn.microsoft.com/en-us/sql/t-sql/language-elements/sql-server-utilities-statements-go',
  ],
  signs: [
    {
      sign: 'GO on a line of its own',
      pattern: /^[ \t]*GO[ \t]*(?:;|\r)?$/im,
      weight: 3,
    },
    { sign: 'names in brackets', pattern: /\[\w+\]\s*\.\s*\[[^\]\n]+\]/, weight: 2 },
    { sign: 'names in brackets', pattern: /^\s*\[[^\]\n]+\]\s+\[?[a-z]/im, weight: 1 },
    { sign: 'NVARCHAR(MAX)', pattern: /\bn?varchar\]?\s*\(\s*max\s*\)/i, weight: 1 },
    { sign: 'CLUSTERED keys', pattern: /\bKEY\s+(?:NON)?CLUSTERED\b/i, weight: 2 },
    { sign: 'SET ANSI_NULLS', pattern: /^\s*SET\s+ANSI_NULLS\b/im, weight: 2 },
    {
      sign: 'a variable of sqlcmd',
      pattern: /^:setvar\s|^\s*USE\s+\[?\$\(/im,
      weight: 3,
    },
  ],
  kin: [],
  backslashEscapes: false,
  typeSchema: 'sys',
  quotedPaths: false,
  textsAsNames: false,
  useNames: 'database',
  createUses: false,
  hasBatches: true,
  repeatsVerb: true,
  modify: 'stated',
  inlineKeys: false,
  inlineIndexes: true,
  skippingIndexes: false,
  columnsNeedType: true,
  anyWordsAreType: false,
  typesSayNull: false,
  primaryKey: 'unique and required',
  enforcesKeys: true,
  passingNames: /^#/, // "Temporary tables"
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  copiesWithColumns: ['column comments'],
  assignsAliases: true,
  castsByConvert: true, // https://learn.microsoft.com/en-us/sql/t-sql/functions/cast-and-convert-transact-sql
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
  listBesideQuery: 'names',
}

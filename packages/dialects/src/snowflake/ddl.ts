import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://docs.snowflake.com/en/sql-reference/sql/create-table',
    'https://docs.snowflake.com/en/sql-reference/sql/alter-table',
    'https://docs.snowflake.com/en/sql-reference/sql/create-database',
  ],
  signs: [
    { sign: 'TIMESTAMP_NTZ', pattern: /\bTIMESTAMP_(?:LTZ|TZ|NTZ\s*\()/i, weight: 2 },
    { sign: 'VARCHAR(16777216)', pattern: /\bVARCHAR\s*\(\s*16777216\s*\)/i, weight: 2 },
    { sign: 'NUMBER(38,0)', pattern: /\bNUMBER\s*\(\s*38\s*,\s*0\s*\)/i, weight: 1 },
    {
      sign: 'a TRANSIENT table',
      pattern: /\bCREATE\s+(?:OR\s+REPLACE\s+)?TRANSIENT\b/i,
      weight: 2,
    },
    {
      sign: 'a masking policy',
      pattern: /\bWITH\s+(?:MASKING\s+POLICY|TAG\s*\()/i,
      weight: 2,
    },
  ],
  kin: [],
  backslashEscapes: true,
  quotedPaths: false,
  textsAsNames: false,
  useNames: 'database',
  createUses: true, // the output of GET_DDL relies on it
  hasBatches: false,
  repeatsVerb: true,
  modify: 'stated',
  inlineKeys: false,
  inlineIndexes: true,
  skippingIndexes: false,
  columnsNeedType: true,
  anyWordsAreType: false,
  typesSayNull: false,
  externalColumn: { name: 'VALUE', type: 'VARIANT' },
  primaryKey: 'unique and required',
  enforcesKeys: false,
  passingNames: undefined,
  identityIsRequired: false, // a synonym of AUTOINCREMENT, which allows null
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  copiesWithColumns: ['column comments', 'keys', 'checks', 'references'],
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
  listBesideQuery: 'names',
}

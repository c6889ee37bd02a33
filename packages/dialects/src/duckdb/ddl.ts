import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://duckdb.org/docs/stable/sql/statements/create_table',
    'https://duckdb.org/docs/stable/sql/data_types/overview',
  ],
  signs: [
    {
      sign: 'HUGEINT',
      pattern: /\b(?:HUGEINT|UHUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT)\b/i,
      weight: 2,
    },
  ],
  kin: [],
  backslashEscapes: false,
  quotedPaths: false,
  textsAsNames: false,
  useNames: 'schema',
  createUses: false,
  hasBatches: false,
  repeatsVerb: false,
  modify: 'stated',
  inlineKeys: false,
  inlineIndexes: false,
  skippingIndexes: false,
  columnsNeedType: true,
  anyWordsAreType: false,
  typesSayNull: false,
  primaryKey: 'unique and required',
  enforcesKeys: true,
  passingNames: undefined,
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
}

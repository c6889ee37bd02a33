import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://docs.databricks.com/en/sql/language-manual/sql-ref-syntax-ddl-create-table-using.html',
    'https://docs.databricks.com/en/sql/language-manual/data-types/string-type.html',
  ],
  signs: [
    {
      sign: 'USING DELTA',
      pattern: /\bUSING\s+(?:DELTA|ICEBERG|PARQUET)\b/i,
      weight: 3,
    },
    {
      sign: 'properties of Delta',
      pattern: /\bdelta\.(?:min|enable|auto|column|feature)/i,
      isInComments: true,
      weight: 2,
    },
  ],
  kin: [],
  backslashEscapes: true,
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
  enforcesKeys: false,
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
}

import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: ['https://cloud.google.com/bigquery/docs/reference/standard-sql/data-definition-language'],
  signs: [
    { sign: 'INT64', pattern: /\b(?:INT64|FLOAT64|BIGNUMERIC)\b/i, weight: 3 },
    { sign: 'a path in backticks', pattern: /`[\w-]+\.[\w-]+\.[\w-]+`/, weight: 2 },
  ],
  kin: [],
  backslashEscapes: true,
  quotedPaths: true,
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
  primaryKey: 'unique', // nothing checks it
  enforcesKeys: false,
  passingNames: undefined,
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
}

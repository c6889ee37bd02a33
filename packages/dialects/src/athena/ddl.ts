import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://docs.aws.amazon.com/athena/latest/ug/create-table.html',
    'https://docs.aws.amazon.com/athena/latest/ug/tables-databases-columns-names.html',
  ],
  signs: [
    {
      sign: 'ROW FORMAT SERDE',
      pattern: /\bROW\s+FORMAT\s+(?:SERDE|DELIMITED)\b/i,
      weight: 2,
    },
    {
      sign: 'table properties of Athena',
      pattern: /\b(?:is_external|table_type|write_compression|vacuum_max_snapshot_age_seconds)\s*=/i,
      weight: 3,
    },
  ],
  kin: ['databricks', 'trino'],
  backslashEscapes: true, // as in Hive, because the statements are those of Hive
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
  primaryKey: 'unique and required',
  enforcesKeys: false,
  passingNames: undefined,
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  copiesWithColumns: ['column comments'],
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
  listBesideQuery: 'names',
}

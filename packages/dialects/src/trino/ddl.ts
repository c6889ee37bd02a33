import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://trino.io/docs/current/sql/create-table.html',
    'https://trino.io/docs/current/connector/hive.html',
  ],
  signs: [
    {
      sign: 'partitioned_by = ARRAY',
      pattern: /\b(?:partitioned_by|bucketed_by|partitioning|sorted_by)\s*=\s*ARRAY\s*\[/i,
      weight: 2, // Athena has the first two as well
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

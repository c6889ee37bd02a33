import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://clickhouse.com/docs/sql-reference/statements/create/table',
    'https://clickhouse.com/docs/sql-reference/statements/alter/column',
    'https://clickhouse.com/docs/engines/table-engines',
  ],
  signs: [
    {
      sign: 'ENGINE = MergeTree',
      pattern:
        /\bENGINE\s*=?\s*(?:\w*MergeTree|Distributed|TinyLog|StripeLog|Log|Kafka|Buffer|Null|ReplacingMergeTree)\b/i,
      weight: 3,
    },
    { sign: 'LowCardinality', pattern: /\bLowCardinality\s*\(/, weight: 2 },
  ],
  kin: [],
  backslashEscapes: true,
  quotedPaths: false,
  textsAsNames: false,
  useNames: 'schema',
  createUses: false,
  hasBatches: false,
  repeatsVerb: false,
  modify: 'stated behind COLUMN',
  inlineKeys: false,
  inlineIndexes: false,
  skippingIndexes: true,
  columnsNeedType: true,
  anyWordsAreType: false,
  typesSayNull: true,
  primaryKey: 'neither', // it is the sort key of the table
  enforcesKeys: false,
  passingNames: undefined,
  identityIsRequired: true,
  viewColumnsHaveTypes: true,
  copiesByAs: true,
  copiesWithColumns: ['column comments'],
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
  listBesideQuery: 'names',
}

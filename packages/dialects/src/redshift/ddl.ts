import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_TABLE_NEW.html',
    'https://docs.aws.amazon.com/redshift/latest/dg/t_Defining_constraints.html',
  ],
  signs: [
    {
      sign: 'DISTKEY or SORTKEY',
      pattern: /\b(?:DISTSTYLE|DISTKEY|SORTKEY)\b/i,
      weight: 3,
    },
    {
      sign: 'ENCODE',
      pattern: /\bENCODE\s+(?:az64|lzo|zstd|raw|bytedict|delta|runlength|mostly\d+|text\d+)\b/i,
      weight: 3,
    },
  ],
  kin: ['postgres'],
  backslashEscapes: true,
  typeSchema: 'pg_catalog',
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
  passingNames: /^#/, // "table_name"
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  copiesWithColumns: [],
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
  listBesideQuery: 'names',
}

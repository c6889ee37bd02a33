import type { DdlRules } from '../ddl-rules.ts'

export const ddl: DdlRules = {
  pages: [
    'https://www.sqlite.org/lang_createtable.html',
    'https://www.sqlite.org/datatype3.html',
    'https://www.sqlite.org/autoinc.html',
    'https://www.sqlite.org/pragma.html',
  ],
  signs: [
    { sign: 'PRAGMA', pattern: /^\s*PRAGMA\s+\w+\s*(?:=|;|\()/im, weight: 3 },
    { sign: 'WITHOUT ROWID', pattern: /\)\s*WITHOUT\s+ROWID\b/i, weight: 3 },
    { sign: 'AUTOINCREMENT', pattern: /\bPRIMARY\s+KEY\s+AUTOINCREMENT\b/i, weight: 3 },
  ],
  kin: [],
  backslashEscapes: false,
  quotedPaths: false,
  textsAsNames: true,
  useNames: 'schema',
  createUses: false,
  hasBatches: false,
  repeatsVerb: false,
  modify: 'stated',
  inlineKeys: false,
  inlineIndexes: false,
  skippingIndexes: false,
  columnsNeedType: false,
  anyWordsAreType: true,
  typesSayNull: false,
  primaryKey: 'required of a row number',
  enforcesKeys: true,
  passingNames: /^sqlite_/i, // "internal use"
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
}

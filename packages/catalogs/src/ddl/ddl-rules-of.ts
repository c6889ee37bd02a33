import { type DdlRules, DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'

/** The rules without a named dialect: whatever any of them has, as long as it can mean nothing else. */
const ANY: Omit<DdlRules, 'pages' | 'signs' | 'kin' | 'backslashEscapes' | 'enforcesKeys'> = {
  quotedPaths: true,
  textsAsNames: true,
  useNames: 'schema',
  createUses: false,
  hasBatches: false,
  repeatsVerb: true,
  modify: 'whole',
  inlineKeys: true,
  inlineIndexes: true,
  skippingIndexes: false,
  columnsNeedType: false,
  anyWordsAreType: false,
  typesSayNull: false,
  primaryKey: 'unique and required',
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
}

/** Returns how the statements of a dialect are read. */
export function ddlRulesOf(dialect: DialectName | undefined): typeof ANY {
  return dialect === undefined ? ANY : DIALECTS[dialect].ddl
}

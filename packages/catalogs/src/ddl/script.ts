import { DIALECTS, type DdlRules } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import { UnreadableSql } from '../sql/cursor.ts'

/** SQL text and the dialect it is read as. */
export interface Script {
  readonly sql: string
  readonly dialect: DialectName | undefined
  /** The dialect of the warehouse with the tables, which determines how names are stored. Default: `dialect`. */
  readonly target?: DialectName | undefined
  /** Records a clause that was not understood and is skipped. Default: such a clause is an error. */
  readonly skip?: ((error: UnreadableSql) => void) | undefined
  /** The placeholders without a value that were recorded so far. Default: they are recorded at every use. */
  readonly placeholders?: Set<string>
  /** The texts that variables of SQL Server have so far, by name in lower case: `SET @description = N'…'`. */
  readonly variables?: Map<string, string>
}

/** The rules for an unknown dialect: everything that any dialect allows, unless it is ambiguous. */
const ANY: Omit<
  DdlRules,
  'pages' | 'signs' | 'kin' | 'backslashEscapes' | 'namesInDoubleQuotes' | 'enforcesKeys'
> = {
  typeSchema: 'pg_catalog',
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
  passingNames: /^sqlite_/i,
  identityIsRequired: true,
  viewColumnsHaveTypes: false,
  copiesByAs: false,
  copiesWithColumns: ['column comments'],
  assignsAliases: false,
  constraintNames: 'postgres',
  dropColumnNarrowsKeys: false,
  listBesideQuery: 'names',
}

/** Returns the rules for reading the statements of a dialect. */
export function ddlRulesOf(dialect: DialectName | undefined): typeof ANY {
  return dialect === undefined ? ANY : DIALECTS[dialect].ddl
}

/**
 * Runs the work and returns its result. Unreadable SQL is recorded and skipped if the script allows it.
 *
 * @throws {UnreadableSql} If the script has no `skip`.
 */
export function skipUnreadable<Result>({ skip }: Script, work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UnreadableSql) || !skip) throw error
    skip(error)
    return undefined
  }
}

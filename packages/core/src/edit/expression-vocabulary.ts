import type { Dialect, Family } from '../dialects/dialect.ts'
import { foldCase, isReserved } from '../sql/identifiers.ts'
import { parseType } from '../sql/parse-type.ts'
import { EXPRESSION_FUNCTIONS } from './expression-functions.ts'

/** What an expression of one table may be made of. */
export interface ExpressionVocabulary {
  readonly dialect: Dialect
  /** Whether an unquoted word reads a column of the table. */
  readonly isColumn: (word: string) => boolean
  /** Whether a name in quotes reads a column of the table. */
  readonly isQuotedColumn: (name: string) => boolean
  readonly isFunction: (name: string) => boolean
  /** Whether the function takes a bare date part. */
  readonly takesPart: (name: string) => boolean
  readonly isCast: (name: string) => boolean
  readonly isType: (type: string) => boolean
  readonly colonCast: boolean
  /** Said of every call that is refused. */
  readonly functionFault: string
}

/** Words that mean a function without brackets in one dialect or other, whatever ours says. */
const EVALUATED = new Set([
  'current_account',
  'current_catalog',
  'current_database',
  'current_date',
  'current_datetime',
  'current_path',
  'current_role',
  'current_schema',
  'current_time',
  'current_timestamp',
  'current_timezone',
  'current_user',
  'current_user_id',
  'localtime',
  'localtimestamp',
  'now',
  'session_user',
  'sysdate',
  'system_user',
  'systimestamp',
  'uid',
  'user',
  'utc_date',
  'utc_time',
  'utc_timestamp',
])

/** Families that the functions and operators of an expression know what to do with. */
export const READABLE_FAMILIES: ReadonlySet<Family> = new Set<Family>([
  'integer',
  'decimal',
  'float',
  'boolean',
  'string',
  'uuid',
  'date',
  'time',
  'timestamp_ntz',
  'timestamp_tz',
])

/** Families whose types hold one value, so that they can be cast to. */
const SCALARS: ReadonlySet<Family> = new Set<Family>([...READABLE_FAMILIES, 'interval', 'json'])

/** Types of the tables that do more than hold a value: they parse documents or name things of the catalog. */
const SPECIAL_TYPES = new Set(['enum', 'name', 'oid', 'set', 'sysname', 'user-defined', 'xml'])

export function createVocabulary(dialect: Dialect, columns: readonly string[]): ExpressionVocabulary {
  const { caseSensitive } = dialect.identifiers
  const functions = EXPRESSION_FUNCTIONS[dialect.name]
  const names = new Set(functions.names)
  const withPart = new Set(functions.withPart)
  const fold = (name: string): string => (caseSensitive ? foldCase(name, dialect) : name.toLowerCase())
  const stored = new Set(caseSensitive ? columns : columns.map((name) => name.toLowerCase()))
  const spelled = (name: string): string => (dialect.types.anyCase ? name.toLowerCase() : name)
  return {
    dialect,
    isColumn: (word) =>
      stored.has(fold(word)) && !isReserved(word, dialect) && !EVALUATED.has(word.toLowerCase()),
    isQuotedColumn: (name) => columns.includes(name),
    isFunction: (name) => names.has(spelled(name)),
    takesPart: (name) => withPart.has(spelled(name)),
    isCast: (name) => functions.casts.includes(spelled(name)),
    isType: (type) => isScalarType(type, dialect),
    colonCast: functions.colonCast,
    functionFault: `an expression may only call ${[...functions.casts, 'extract', ...functions.names].join(', ')}`,
  }
}

/** A type of the dialect's own lists; SQLite's rule that any text is a type does not count. */
function isScalarType(type: string, dialect: Dialect): boolean {
  const { base, family, known } = parseType(type, dialect)
  if (Object.values(dialect.types.cast).includes(type.toLowerCase())) return true
  const listed = dialect.types.families[family]?.includes(base) ?? false
  return known && listed && SCALARS.has(family) && !SPECIAL_TYPES.has(base)
}

import { type Dialect, type ExpressionSyntax, type Family, type FunctionResult } from '@stagecraft/dialects'
import { foldCase, isReserved } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'

/** A column that an expression may read. */
export interface ExpressionColumn {
  readonly name: string
  readonly family: Family
}

/** The vocabulary for expressions of one table. */
export interface ExpressionVocabulary {
  readonly dialect: Dialect
  readonly syntax: ExpressionSyntax
  /** The column of the table that an unquoted word reads. */
  readonly columnOf: (word: string) => string | undefined
  /** Returns true if an unquoted word reads a column of the table. */
  readonly isColumn: (word: string) => boolean
  /** Returns true if a name in quotes reads a column of the table. */
  readonly isQuotedColumn: (name: string) => boolean
  /** Returns true if a column has fields that are read with a dot. */
  readonly isRecord: (name: string) => boolean
  readonly isFunction: (name: string) => boolean
  /** Returns the result of a call of the function. */
  readonly resultOf: (name: string) => FunctionResult | undefined
  /** Returns true if the function takes a bare date part. */
  readonly takesPart: (name: string) => boolean
  readonly isCast: (name: string) => boolean
  /** Returns true if the call has a type as its first argument. */
  readonly isTypedConvert: (name: string) => boolean
  /** Returns true if the meaning of a text depends on the settings of the machine, in the dialect. */
  readonly isOfTheMachine: (text: string, words: RegExp) => boolean
  readonly isType: (type: string) => boolean
  readonly colonCast: boolean
  /** Returns the message for a refused call. It has the name only if it is one of ours, because it is text of an answer. */
  readonly functionFault: (name: string) => string
}

/** Words that are a function without brackets in some dialect, even if not in this one. */
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

/** Families whose types hold one value that can be compared and converted. */
const SIMPLE: readonly Family[] = [
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
]

/** Families that an expression can read. */
export const READABLE_FAMILIES: ReadonlySet<Family> = new Set<Family>([
  ...SIMPLE,
  'interval',
  'json',
  'struct',
  'array',
  'map',
  'binary',
])

/** Families whose types hold one value, and that an expression may cast to. */
const SCALARS: ReadonlySet<Family> = new Set<Family>([...SIMPLE, 'interval', 'json', 'binary'])

/** Types that do more than store a value: they parse documents or refer to objects of the catalog. */
const SPECIAL_TYPES = new Set(['enum', 'name', 'oid', 'set', 'sysname', 'user-defined', 'xml'])

/** The beginning of every `functionFault`. */
const CALLS = 'an expression may only call '

/** Describes a refused call for a person, without the list that the model gets; undefined for another fault. */
export function describeRefusedCall(fault: string): string | undefined {
  if (!fault.startsWith(CALLS)) return undefined
  const name = /, not (\w+)$/.exec(fault)?.[1]
  return name === undefined
    ? 'it calls a function that is not allowed here'
    : `it calls ${name}(), which is not allowed here`
}

export function createVocabulary(
  dialect: Dialect,
  columns: readonly ExpressionColumn[],
): ExpressionVocabulary {
  const { caseSensitive } = dialect.identifiers
  const { functions } = dialect
  const results = resultsOf(dialect)
  const withPart = new Set(functions.withPart)
  const fold = (name: string): string => (caseSensitive ? foldCase(name, dialect) : name.toLowerCase())
  const stored = new Map(columns.map(({ name }) => [caseSensitive ? name : name.toLowerCase(), name]))
  const spelled = (name: string): string => (dialect.types.anyCase ? name.toLowerCase() : name)
  const columnOf = (word: string): string | undefined =>
    isReserved(word, dialect) || EVALUATED.has(word.toLowerCase()) ? undefined : stored.get(fold(word))
  return {
    dialect,
    syntax: functions.syntax,
    columnOf,
    isColumn: (word) => columnOf(word) !== undefined,
    isQuotedColumn: (name) => columns.some((column) => column.name === name),
    isRecord: (name) =>
      columns.some((column) => column.name === name && /^(?:struct|json|map)$/.test(column.family)),
    isFunction: (name) => results.has(spelled(name)),
    resultOf: (name) => results.get(spelled(name)),
    takesPart: (name) => withPart.has(spelled(name)),
    isCast: (name) => functions.casts.includes(spelled(name)),
    isTypedConvert: (name) => functions.converts.includes(spelled(name)),
    isOfTheMachine: (text, words) => functions.readsTheMachine && words.test(text),
    isType: (type) => isScalarType(type, dialect),
    colonCast: functions.colonCast,
    functionFault: (name) => {
      const refused = EVALUATED.has(name.toLowerCase()) ? `, not ${name.toLowerCase()}` : ''
      return `${CALLS}${[...functions.casts, 'extract', ...results.keys()].join(', ')}${refused}`
    },
  }
}

/** Maps each function to its result, by its name as the dialect compares it. */
function resultsOf(dialect: Dialect): ReadonlyMap<string, FunctionResult> {
  const entries = Object.entries(dialect.functions.results) as [FunctionResult, string][]
  return new Map(
    entries.flatMap(([result, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map((name) => [name, result] as const),
    ),
  )
}

/** Returns true for a type in the dialect's lists; SQLite's rule that any text is a type does not count. */
function isScalarType(type: string, dialect: Dialect): boolean {
  const { base, family, known } = parseType(type, dialect)
  if (Object.values(dialect.types.cast).includes(type.toLowerCase())) return true
  const listed = dialect.types.families[family]?.includes(base) ?? false
  return known && listed && SCALARS.has(family) && !SPECIAL_TYPES.has(base)
}

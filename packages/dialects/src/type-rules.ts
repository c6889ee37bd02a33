/** The nature of a raw type. Decides group, naming rule and legal operations of a column. */
export const FAMILIES = [
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
  'interval',
  'json',
  'struct',
  'array',
  'map',
  'binary',
  'geo',
  'other',
] as const

export type Family = (typeof FAMILIES)[number]

/** The types of a warehouse and what they are cast to. */
export interface TypeRules {
  /** The vendor's pages that the facts come from. */
  readonly pages: readonly string[]
  /** Base name (lower case, without arguments) of every type, by family. */
  readonly families: Readonly<Partial<Record<Family, readonly string[]>>>
  /** Families that depend on the arguments: `bit(1)`. Keys are whole types in lower case. */
  readonly exact: Readonly<Record<string, Family>>
  /** Types of numbers that are booleans where a name or a list of values says so. */
  readonly mayBeBoolean: readonly string[]
  /** A decimal type with scale 0 is the integer type. */
  readonly scaleZeroIsInteger: boolean
  /** For types in none of the lists, the first text that the type contains decides. */
  readonly contains: readonly (readonly [text: string, family: Family])[]
  /** Types that wrap another one and change nothing: `Nullable(String)`. */
  readonly wrappers: readonly string[]
  /** Type names mean the same in any case, so that they are printed in lower case. */
  readonly anyCase: boolean
  /** The type that each family is cast to; a family without an entry is never cast. */
  readonly cast: Readonly<Partial<Record<Family, string>>>
  /** The spelling of columns of other dialects where it is neither as in `cast` nor the first name of the family. */
  readonly columnTypes: Readonly<Partial<Record<Family, string>>>
  /** Types that are short, or are no types, unless they state a length. */
  readonly sized: readonly string[]
  /** Families whose raw type can itself be the target of a cast. */
  readonly castable: readonly Family[]
  /** Raw types that are converted to be usable, by base name: `{ money: 'numeric(19, 2)' }`. */
  readonly convert: Readonly<Record<string, string>>
}

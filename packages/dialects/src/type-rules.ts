/** The families of raw types. They decide the group, the naming rules and the possible conversions of a column. */
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

/** The types of a warehouse, and the targets of their casts. */
export interface TypeRules {
  /** The vendor's pages that the facts come from. */
  readonly pages: readonly string[]
  /** The base names of all types by family, in lower case and without arguments. */
  readonly families: Readonly<Partial<Record<Family, readonly string[]>>>
  /** Families that depend on the arguments: `bit(1)`. Keys are whole types in lower case. */
  readonly exact: Readonly<Record<string, Family>>
  /** Number types that are boolean if a name or a list of values says so. */
  readonly mayBeBoolean: readonly string[]
  /** True if a decimal type with scale 0 is an integer type. */
  readonly scaleZeroIsInteger: boolean
  /** The family of types in none of the lists, by the first of these texts that they contain. */
  readonly contains: readonly (readonly [text: string, family: Family])[]
  /** Types that wrap another one and change nothing: `Nullable(String)`. */
  readonly wrappers: readonly string[]
  /** True if type names are case-insensitive, so they are printed in lower case. */
  readonly anyCase: boolean
  /** The type that each family is cast to; a family without an entry is never cast. */
  readonly cast: Readonly<Partial<Record<Family, string>>>
  /** The types for columns of other dialects, if neither `cast` nor the first name of the family fits. */
  readonly columnTypes: Readonly<Partial<Record<Family, string>>>
  /** Types that are too short, or invalid, without a length. */
  readonly sized: readonly string[]
  /** Families whose raw type can itself be the target of a cast. */
  readonly castable: readonly Family[]
  /** Raw types that must be converted to be usable, by base name: `{ money: 'numeric(19, 2)' }`. */
  readonly convert: Readonly<Record<string, string>>
  /** Types of the family `string` that functions of texts refuse, so profiles cast them to a text first. */
  readonly readAsText: readonly string[]
  /** Types without equality, which some functions refuse: profiles only count their nulls. */
  readonly incomparable: readonly string[]
  /** The range of number types, to find casts that lose digits. */
  readonly ranges: NumberRanges
}

interface NumberRanges {
  /** The largest value of each integer type that holds less than 64 bits. */
  readonly largest: Readonly<Record<string, number>>
  /** Floats that keep only about seven digits. */
  readonly single: readonly string[]
  /** The decimal places of types without arguments. A type without an entry keeps all. */
  readonly scales: Readonly<Record<string, number>>
}

/** The usual integer types that hold less than 64 bits. */
export const NARROW_INTEGERS = {
  tinyint: 127,
  smallint: 32_767,
  int: 2_147_483_647,
  integer: 2_147_483_647,
} as const

// Words that a new name must not lose, reverse or add.

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

export const NEGATIONS = words('not non never without no none')

/** Prefixes that turn a word into its opposite. */
export const OPPOSITES = words('un in im ir il dis de non mis anti')

/** Words for a direction or an agent; a new name may only take them from the raw one. */
export const DIRECTIONS = words('by for from to per with')

/** Directions that a new name must keep: `valid_to` is not a `valid_date`. */
export const KEPT_DIRECTIONS = words('by from to')

/** Persons who do something: `created_user` is `created_by`. */
export const PERSONS = words('usr user users emp employee person who')

/** Words that distinguish two columns of the same thing. */
export const MODIFIERS = words(
  'old new prev previous next former prior max min avg gross net pre post sub inbound outbound minimum maximum average',
)

/** Words for a count, and those that mean one as the first of several words: `num_items`. */
export const COUNTS = words('count quantity')
export const COUNTERS = words('num nbr nr no n number')

/** Kinds of a text that make another column of it: the `status` of a payment is not the `payment`. */
export const QUALITIES = words('code type status number')

/** Words that say nothing about a column. */
export const FILLERS = words(
  'row record rec data field column col src raw sys stg staging tbl table object entity info attribute system custom',
)

/** Words that add nothing to certain others: `last_modified`, `created_by_user`, `ship_to_city`. */
export const REDUNDANT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['last', words('modified updated changed update change modify edited edit')],
  ['user', words('by')],
  ['to', words('ship bill sold shipped billed')],
  ['postal', words('zip postcode')],
  ['zip', words('postal postcode')],
  ['currency', words('iso')],
  ['unit', words('price cost')],
])

/** Parts of an address. */
export const PLACES = words('city zip postal postcode street country province address')

/** Words that add nothing to their neighbour. */
export const COMPANIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['email', ['address']],
  ['ip', ['address']],
  ['mac', ['address']],
  ['address', ['line']],
  ['street', ['address']],
  ['postal', ['code']],
  ['zip', ['code']],
  ['phone', ['number']],
  ['telephone', ['number']],
  ['mobile', ['number']],
  ['fax', ['number']],
  ['invoice', ['document']],
])

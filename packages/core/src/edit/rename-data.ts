// Words that a new name must not lose, turn round or add.

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

export const NEGATIONS = words('not non never without no none')

/** Beginnings that turn a word into its opposite. */
export const OPPOSITES = words('un in im ir il dis de non mis anti')

/** Words by which something comes, goes or is done; a new name has them from the raw one. */
export const DIRECTIONS = words('by for from to per with')

/** Those of them that stay: `valid_to` is no `valid_date`. */
export const KEPT_DIRECTIONS = words('by from to')

/** Persons who do something: `created_user` is `created_by`. */
export const PERSONS = words('usr user users emp employee person who')

/** Words by which two columns of one thing differ. */
export const MODIFIERS = words(
  'old new prev previous next former prior max min avg gross net pre post sub inbound outbound minimum maximum average',
)

/** Words for how many, and those that say so as the first of several: `num_items`. */
export const COUNTS = words('count quantity')
export const COUNTERS = words('num nbr nr no n number')

/** Words that say nothing of a column. */
export const FILLERS = words(
  'row record rec data field column col src raw sys stg staging tbl table object entity info attribute system custom',
)

/** Words that say nothing beside some others: `last_modified`, `created_by_user`, `ship_to_city`. */
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

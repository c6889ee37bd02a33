/**
 * Words that name no column without quotes in at least five warehouses. They take the entity in front in all of them, so
 * that a column has one name everywhere: `user` is one; `index` and `rows`, which four reserve, are names that people
 * use. A list and not a count, because one more warehouse must not rename columns in the projects of the others.
 */
export const WIDELY_RESERVED: ReadonlySet<string> = new Set(
  `
  all alter and any array as asc authorization between binary both by case cast check collate column
  constraint create cross current_date current_time current_timestamp current_user default delete desc
  distinct drop else end escape except exists false fetch for foreign from full grant group having ilike in
  inner insert intersect into is join lateral leading left like limit localtime localtimestamp natural not
  null of on or order outer primary references right select session_user set some table tablesample then to
  trailing true union unique update user using values when where with
`
    .trim()
    .split(/\s+/),
)

/** Returns true for a word that many warehouses reserve. */
export function isReservedWidely(name: string): boolean {
  return WIDELY_RESERVED.has(name)
}

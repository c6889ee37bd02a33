import { DIALECTS } from '@stagecraft/dialects'

/** `user` is reserved in five of twelve; `index` and `rows`, in four, are names that people use. */
const WIDE_SHARE = 0.4

/**
 * Words that name no column without quotes in many warehouses. They take the entity in front in all of them, so
 * that a column has one name everywhere.
 */
const WIDELY: ReadonlySet<string> = new Set(findWidely())

export function isReservedWidely(name: string): boolean {
  return WIDELY.has(name)
}

function findWidely(): readonly string[] {
  const dialects = Object.values(DIALECTS)
  const counts = new Map<string, number>()
  for (const { words } of dialects)
    for (const word of new Set([...words.reserved, ...words.evaluated]))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].flatMap(([word, count]) => (count >= dialects.length * WIDE_SHARE ? [word] : []))
}

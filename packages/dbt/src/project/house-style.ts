import type { HouseStyle } from '@stagecraft/spec'

/** A column with its new name or its description. */
export type StylePair = readonly [column: string, given: string]

/** A column that a select renames, alone on its line as staging models have it: `cust_no as customer_number,`. */
const RENAME =
  /^[^\S\n]*,?[^\S\n]*"?([A-Za-z_][\w$]*)"?[^\S\n]+as[^\S\n]+([a-z_][a-z0-9_]*)[^\S\n]*,?[^\S\n]*(?:--.*)?$/gim

/** The most pairs to learn from. */
const MOST = 1000

/** Finds the columns that a staging model renames. */
export function renamesIn(sql: string): readonly StylePair[] {
  return [...sql.matchAll(RENAME)].flatMap(([, column = '', name = '']) => {
    const [from, to] = [column.toLowerCase(), name.toLowerCase()]
    return from === to ? [] : [[from, to] as const]
  })
}

/** Collects names and descriptions of columns in a project, most frequent pairs first. */
export function houseStyle(renames: readonly StylePair[], descriptions: readonly StylePair[]): HouseStyle {
  const said = descriptions.map(([column, text]) => [column, text.trim()] as const)
  return {
    renames: mostFrequent(renames),
    descriptions: mostFrequent(said.filter(([, text]) => text !== '')),
  }
}

/** Sorts pairs by frequency, then by text. */
function mostFrequent(pairs: readonly StylePair[]): readonly StylePair[] {
  const counts = new Map<string, { readonly pair: StylePair; readonly times: number }>()
  for (const pair of pairs) {
    const key = pair.join('\0')
    counts.set(key, { pair, times: (counts.get(key)?.times ?? 0) + 1 })
  }
  return [...counts]
    .toSorted(([a, first], [b, second]) => second.times - first.times || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([, { pair }]) => pair)
}

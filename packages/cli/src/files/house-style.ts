import type { HouseStyle } from '@stagecraft/spec'

/** Collects how a project names and describes columns, from the text of its files. */
export interface StyleCollector {
  addSql(text: string): void
  addDescription(column: string, description: string): void
  collect(): HouseStyle
}

/** A column that a select renames, alone on its line as staging models have it: `cust_no as customer_number,`. */
const RENAME = /^\s*,?\s*"?([A-Za-z_][\w$]*)"?\s+as\s+([a-z_][a-z0-9_]*)\s*,?\s*(?:--.*)?$/gim

/** Enough to learn from. */
const MOST = 1000

export function collectStyle(): StyleCollector {
  const renames = new Map<string, Counted>()
  const descriptions = new Map<string, Counted>()
  return {
    addSql(text) {
      for (const [, column = '', name = ''] of text.matchAll(RENAME)) {
        const [from, to] = [column.toLowerCase(), name.toLowerCase()]
        if (from !== to) count(renames, from, to)
      }
    },
    addDescription: (column, description) => count(descriptions, column, description.trim()),
    collect: () => ({ renames: mostFrequent(renames), descriptions: mostFrequent(descriptions) }),
  }
}

interface Counted {
  readonly pair: readonly [string, string]
  readonly times: number
}

function count(counts: Map<string, Counted>, from: string, to: string): void {
  if (to === '') return
  const key = `${from}\0${to}`
  counts.set(key, { pair: [from, to], times: (counts.get(key)?.times ?? 0) + 1 })
}

/** The most frequent first, in the order of their texts where they are equally so. */
function mostFrequent(counts: ReadonlyMap<string, Counted>): readonly (readonly [string, string])[] {
  return [...counts]
    .toSorted(([a, first], [b, second]) => second.times - first.times || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([, { pair }]) => pair)
}

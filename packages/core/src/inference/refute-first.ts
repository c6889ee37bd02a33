import type { CatalogTable } from '@stagecraft/spec'
import type { Check, CheckResult, InferenceTable, Verify } from './inference.ts'
import { type Reading, type ReadingOf, WHOLE } from './reading.ts'

/** Rows of a table that are enough to refute most of the keys that are none. */
const ROWS_TO_REFUTE = 100_000

/**
 * Looks up several keys of a large table in a share of its values first. What that refutes is refuted; only the others are
 * looked up in all rows.
 */
export function refuteFirst(
  tables: readonly InferenceTable[],
  verifyBy: (readingOf: ReadingOf) => Verify,
  readings: ReadonlyMap<CatalogTable, Reading | undefined>,
): Verify {
  const profiles = new Map(tables.map(({ profile, table }) => [table, profile] as const))
  const distinctOf =
    (table: CatalogTable) =>
    (column: string): number =>
      profiles.get(table)?.columns[column]?.distinct ?? 0
  const full = verifyBy((table) => ({ ...(readings.get(table) ?? WHOLE), distinctOf: distinctOf(table) }))
  const quick = verifyBy((table) => ({
    ...WHOLE,
    share: Math.min(1, ROWS_TO_REFUTE / (profiles.get(table)?.rows ?? 1)),
    distinctOf: distinctOf(table),
  }))
  return async (checks) => {
    const worth = new Set(severalOfLarge(checks))
    const first = [...worth]
    const refuted = new Map<Check, CheckResult>()
    for (const [at, answer] of (await quick(first)).entries()) {
      const check = first[at]
      if (check && answer && answer.violations > 0) refuted.set(check, answer)
    }
    const open = checks.filter((check) => !refuted.has(check))
    const answers = await full(open)
    let next = 0
    return checks.map((check) => (refuted.has(check) ? refuted.get(check) : answers[next++]))
  }

  function severalOfLarge(checks: readonly Check[]): readonly Check[] {
    const keys = checks.flatMap((check) => (check.kind === 'unique' ? [check] : []))
    const isLarge = (table: CatalogTable): boolean =>
      (readings.get(table)?.share ?? 1) >= 1 && (profiles.get(table)?.rows ?? 0) > 2 * ROWS_TO_REFUTE
    return [...Map.groupBy(keys, ({ key }) => key.table)].flatMap(([table, group]) =>
      group.length > 1 && isLarge(table) ? group : [],
    )
  }
}
